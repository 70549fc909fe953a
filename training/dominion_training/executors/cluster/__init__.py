"""Parts on the nodes of a Ray cluster: `executor.Cluster` sends them, `node.play_parts` plays them there."""
