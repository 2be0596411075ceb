"""Ctrl-C while a command begins: one line and exit status 130, never a traceback."""

import os
import signal
import subprocess
import sys
import time

import pytest

from fedtheory.commands.terminal import stoppable

COMMANDS = {
    "list": ["list"],
    "verify": ["verify", "--jobs", "1", "--no-cache"],
    "constants": ["constants", "pfedme", "--data", "digits", "--l2", "0.01"],
}
DELAYS = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5)  # seconds
BEGUN = "import os\nos.write(int(os.environ['BEGUN']), b'.')\n"  # Python itself stands, and cannot be asked before
SCRIPT = "#!{}\nimport sys\nfrom fedtheory.cli import main\nsys.exit(main())\n"


def defaults():
    """Of signals, for a child of a process that ignores Ctrl-C, as those that run in the background do."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def interrupted(words, delay, folder):
    """What a command says that is interrupted so long after Python has begun: its status and what is on stderr."""
    (folder / "sitecustomize.py").write_text(BEGUN)
    here, there = os.pipe()
    paths = os.pathsep.join([str(folder), os.getcwd()])
    env = {**os.environ, "PYTHONPATH": paths, "BEGUN": str(there), "FEDTHEORY_CACHE": str(folder)}
    with subprocess.Popen(
        words,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=env,
        pass_fds=[there],
        start_new_session=True,
        preexec_fn=defaults,
    ) as child:
        os.close(there)
        assert os.read(here, 1) == b"."
        os.close(here)
        time.sleep(delay)
        os.killpg(child.pid, signal.SIGINT)
        said = child.communicate(timeout=60)[1].decode()
    return child.returncode, said


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("delay", DELAYS)
@pytest.mark.parametrize("command", COMMANDS)
def test_one_line_and_130(command, delay, tmp_path):
    """Whatever is being imported; a command that has ended by then has completed."""
    status, said = interrupted([sys.executable, "-m", "fedtheory", *COMMANDS[command]], delay, tmp_path)
    assert (status, said.count("\n")) == (130, 1) or (status, said) == (0, ""), said
    assert "interrupted" in said or status == 0


def test_the_installed_command(tmp_path):
    """A script that calls `main` ends the same."""
    script = tmp_path / "fedtheory"
    script.write_text(SCRIPT.format(sys.executable))
    assert interrupted([sys.executable, str(script), "verify"], 0.05, tmp_path) == (130, "fedtheory: interrupted\n")


def test_another_program_keeps_its_own(tmp_path):
    """Where fedtheory is imported Ctrl-C is what it was."""
    code = "import fedtheory, signal; print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)"
    for name in ("other.py", "fedtheory_of_mine.py"):
        (tmp_path / name).write_text(code)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "__init__.py").write_text(code)
    (tmp_path / "mine" / "__main__.py").write_text("")
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), os.getcwd()])}
    for words in (["-c", code], [str(tmp_path / "other.py")], [str(tmp_path / "fedtheory_of_mine.py")], ["-m", "mine"]):
        said = subprocess.check_output([sys.executable, *words], env=env, preexec_fn=defaults)
        assert said == b"True\n"


def test_the_status_is_130_where_executed_text_is_interrupted(tmp_path):
    """As in the making of a dataclass: Python would kill itself with the signal, after the command has ended in order."""
    text = "import os, signal, time\\nos.kill(os.getpid(), signal.SIGINT)\\ntime.sleep(60)"
    (tmp_path / "draft.py").write_text(f'exec("{text}")\n')
    words = [sys.executable, "-m", "fedtheory", "verify", str(tmp_path / "draft.py")]
    done = subprocess.run(words, capture_output=True, text=True, env={**os.environ, "FEDTHEORY_CACHE": str(tmp_path)})
    assert (done.returncode, done.stderr) == (130, "fedtheory: interrupted\n")


def test_one_that_python_drops_comes_again(capfd):
    """While something is cleared away an exception is printed and dropped; what is half made by then is cleared in silence."""

    class Cleared:
        def __init__(self, do):
            self.do = do

        def __del__(self):
            self.do()

    def fails():
        raise AttributeError("half made")

    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt), stoppable():
        Cleared(lambda: signal.raise_signal(signal.SIGINT))
        while time.monotonic() - began < 10:
            time.sleep(0.001)
    assert time.monotonic() - began < 5
    with pytest.raises(KeyboardInterrupt), stoppable():
        try:
            signal.raise_signal(signal.SIGINT)
        finally:
            Cleared(fails)
    assert capfd.readouterr().err == ""


def test_one_comes_again_that_comes_while_an_attribute_learns_its_name():
    """What is raised there becomes a RuntimeError in Python before 3.12, which a command would report."""

    class Named:
        def __set_name__(self, owner, name):
            signal.raise_signal(signal.SIGINT)

    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt), stoppable():
        made = type("Made", (), {"name": Named()})
        while made and time.monotonic() - began < 10:
            time.sleep(0.001)
    assert time.monotonic() - began < 5


def test_other_errors_while_something_is_cleared_away_are_said():
    said = []
    before, sys.unraisablehook = sys.unraisablehook, lambda what: said.append(what.exc_type)
    try:
        with stoppable():
            type("Cleared", (), {"__del__": lambda self: 1 / 0})()
        assert said == [ZeroDivisionError]
    finally:
        sys.unraisablehook = before
