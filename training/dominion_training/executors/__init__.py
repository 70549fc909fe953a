"""Who plays parts of works, and where they are kept: this process, processes of this machine, a Ray cluster."""
