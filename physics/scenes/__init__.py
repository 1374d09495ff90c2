"""What is asked of a scene as a whole: what hangs together, what may touch, what is simulated in time. numpy only."""
