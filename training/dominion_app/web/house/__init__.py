"""The games of all visitors, and the processes in which agents think."""
