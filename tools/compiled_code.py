"""A hook of the build: a wheel that carries compiled code is for one Python and one kind of machine."""

from __future__ import annotations

import os
import platform
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

COMPILED_CODE = "DOMINION_COMPILED_CODE"  # names the folder that `tools/wheel.py` has filled


class CompiledCode(BuildHookInterface):  # type: ignore[type-arg]
    """Puts compiled code into the wheel, if there is any."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the folder to the wheel, and the interpreter and the machine to its name."""
        folder = os.environ.get(COMPILED_CODE)
        if folder is None or version == "editable":
            return
        from packaging.tags import sys_tags

        tag = next(sys_tags())
        build_data["force_include"][folder] = "dominion_env/shipped"
        # the code calls nothing of the system, so an old one is good enough
        build_data["tag"] = f"{tag.interpreter}-{tag.abi}-manylinux_2_17_{platform.machine()}"
        build_data["pure_python"] = False
