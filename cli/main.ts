throw new Error("not yet");
