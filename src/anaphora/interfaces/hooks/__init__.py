"""Hooks: the programs that people talk to call us at each step, and every prompt is heard.

`entry` is the process that an assistant starts. It hands the event to the daemon and prints what comes back; without
a daemon it does the work itself, by words alone. Whatever goes wrong, the assistant notices nothing."""
