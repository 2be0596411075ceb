"""fedtheory completion: what bash completes is what the commands take; the other shells get a script."""

import shutil
import subprocess

import pytest

from fedtheory.cli import COMMANDS, main, whole_parser
from fedtheory.commands.completion import SHELLS


def test_the_whole_parser_has_every_command_and_its_options():
    parser = whole_parser()
    commands = parser._subparsers._group_actions[0].choices
    assert set(commands) == set(COMMANDS)
    assert (
        "--coverage" in commands["verify"]._option_string_actions
        and "--rounds" in commands["run"]._option_string_actions
    )


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_names_every_command(shell, capsys):
    assert main(["completion", shell]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in COMMANDS)


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["fedtheory", "ver"], {"verify"}),
        (["fedtheory", "verify", "--cover"], {"--coverage"}),
        (["fedtheory", "verify", "--format", ""], {"github"}),
        (["fedtheory", "new", "pap"], {"paper"}),
        (["fedtheory", "verify", "--nothing"], set()),
    ],
)
def test_bash_completes(words, found, capsys, tmp_path):
    main(["completion", "bash"])
    script = tmp_path / "fedtheory.bash"
    script.write_text(capsys.readouterr().out)
    asked = " ".join(f"'{word}'" for word in words)
    ask = (
        f"source {script}; COMP_WORDS=({asked}); COMP_CWORD={len(words) - 1}; _shtab_fedtheory; echo ${{COMPREPLY[@]}}"
    )
    done = subprocess.run(["bash", "-c", ask], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) == found
