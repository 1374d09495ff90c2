"""What is near what, and what is within what, in a scene before it is simulated. numpy only."""
