"""The learner: self-play in which every decision of every seat is a sample, and proximal policy optimisation.

The way of a decision goes through these files:

1. `self_play/learner.py`: `SelfPlayPPO.rollout` lets each shard play, and then updates the network.
2. `rollouts/shard.py`: `Shard.tick` observes the games in which the network must decide, asks the opponents in the others, and
   calls `GameBatch.step` once for all.
3. `rollouts/samples.py`: `collect`, which is compiled, reads the inputs, computes the logits, draws an action with the game's
   policy key, and writes both the action for the game and the sample: inputs, legal actions, action, log-probability, values.
4. `rollouts/samples.py`: `advantages` follows each seat's samples once their outcome is known.
5. `optimiser/update.py`: `batches` makes tensors of them, and `Updater.run` computes the loss of each minibatch and steps Adam.
   The loss of PPO is there twice: `fused_ppo_loss` on the processor, `ppo_loss` on other devices. A new term belongs in both.

Opponents and teacher are names in the settings (`options/`). `make_entrant` (`dominion_training/play/entrants.py`) makes the
agent of a name by `make_agent`, whose names `dominion_agents/naming/by_name.py` registers.
"""

from dominion_env.compiled.notice import PARTS, Part

PARTS.append(Part("the loops of the learner", 5, "dominion_training.learner"))
