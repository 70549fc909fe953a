"""A keyword argument that a view does not have is refused as Python refuses it, and as one of our own errors."""

import gymnasium
import pettingzoo
import pytest

import dominion_env
from dominion_env import DominionEnv, DominionVectorEnv, InvalidOption, dominion_v0
from dominion_env.common.errors import UnknownOption

VIEWS = {
    "DominionEnv": DominionEnv,
    "DominionVectorEnv": DominionVectorEnv,
    "gymnasium.make": lambda **options: gymnasium.make("Dominion-v0", **options),
    "gymnasium.make_vec": lambda **options: gymnasium.make_vec("Dominion-v0", num_envs=2, **options),
    "env": dominion_v0.env,
    "raw_env": dominion_v0.raw_env,
    "parallel_env": dominion_v0.parallel_env,
    "SB3VecEnv": lambda **options: sb3_view()(2, **options),
}


def sb3_view():
    pytest.importorskip("stable_baselines3", reason="needs the extra `train`")
    return dominion_env.SB3VecEnv


@pytest.mark.parametrize("view", VIEWS)
def test_an_unknown_keyword_argument_is_a_type_error_in_pythons_words(view):
    with pytest.raises(UnknownOption, match="got an unexpected keyword argument 'frameskip'") as caught:
        VIEWS[view](frameskip=1)
    assert isinstance(caught.value, TypeError)
    assert isinstance(caught.value, InvalidOption)


@pytest.mark.parametrize("view", [view for view in VIEWS if view != "gymnasium.make"])
def test_a_limit_of_steps_as_other_libraries_have_it_is_led_to_max_turns(view):
    # `gymnasium.make` takes the limit itself and wraps the environment
    with pytest.raises(UnknownOption, match=r"'max_episode_steps': did you mean 'max_turns'[?]"):
        VIEWS[view](max_episode_steps=50)


def test_an_option_that_a_view_sets_itself_is_no_unknown_one():
    with pytest.raises(InvalidOption) as caught:
        DominionEnv(autoreset=True)
    assert not isinstance(caught.value, TypeError)


def test_pettingzoos_registry_passes_the_error_on():
    if not hasattr(pettingzoo, "make"):
        pytest.skip("before 1.26 there was no registry")
    with pytest.raises(UnknownOption, match="unexpected keyword argument 'frameskip'"):
        pettingzoo.make("aec", "dominion/base-v0", frameskip=1)
