// Bakes a .blend with Tendril, once or in several takes between two values of a property, renders each take in chunks of
// frames, and lays pictures of all takes on one sheet. A job type of Flamenco: put it into the folder `scripts` beside
// its manager, and choose it in Blender.

const JOB_TYPE = {
  label: "Bake with Tendril and Render",
  settings: [
    {
      key: "frames", type: "string", required: true,
      eval: "f'{C.scene.frame_start}-{C.scene.frame_end}'",
      evalInfo: { showLinkButton: true, description: "Scene frame range" },
      description: "Frames to render, as 1-250 or 10-50",
    },
    { key: "chunk_size", type: "int32", default: 25, visible: "submission", description: "Frames in one task" },
    {
      key: "output", type: "string", subtype: "dir_path", required: true, visible: "submission",
      description: "Where takes, frames and sheet go",
    },
    {
      key: "property", type: "string", default: "", required: false,
      description: "What differs from take to take, as Copy Full Data Path gives it; nothing",
    },
    { key: "from", type: "float", default: 0.0, description: "Its value in the first take" },
    { key: "to", type: "float", default: 0.0, description: "Its value in the last take" },
    { key: "takes", type: "int32", default: 1, description: "How many there are" },
    { key: "blendfile", type: "string", required: true, visible: "web", description: "The file to bake and render" },
  ],
};

function compileJob(job) {
  const own = job.settings;
  const sheet = tendril("Sheet", ["sheet", path.join(own.output, "frames"), "--output", path.join(own.output, "sheet.png")]);
  for (let take = 1; take <= own.takes; take++) {
    const file = path.join(own.output, `take_${take}.blend`);
    const bake = tendril(`Bake ${take}`, [
      "bake", "--wedge", own.property, `${own.from}`, `${own.to}`, "--take", `${take}/${own.takes}`,
      "--cache", path.join(own.output, "cache", `${take}`), "--output", file,
    ], own.blendfile);
    job.addTask(bake);
    for (const chunk of frameChunker(own.frames, own.chunk_size)) {
      const render = author.Task(`Render ${take}, ${chunk}`, "blender");
      const frames = chunk.replace("-", "..");
      render.addCommand(author.Command("blender-render", {
        exe: "{blender}", exeArgs: "{blenderArgs}", argsBefore: [], blendfile: file,
        args: ["--render-output", path.join(own.output, "frames", `${take}`, "####"), "--render-frame", frames],
      }));
      render.addDependency(bake);
      job.addTask(render);
      sheet.addDependency(render);
    }
  }
  job.addTask(sheet);
}

// A task that runs the command of Tendril's in Blender.
function tendril(name, args, file) {
  const task = author.Task(name, "misc");
  const opened = file === undefined ? [] : [file];
  task.addCommand(author.Command("exec", { exe: "{blender}", args: ["-b", ...opened, "--command", "tendril", ...args] }));
  return task;
}
