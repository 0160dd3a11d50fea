"""Print a script with which a shell completes commands, options and their values.

Examples:

    penstock completion bash > ~/.local/share/bash-completion/completions/penstock
    penstock completion zsh > ~/.zfunc/_penstock       # with fpath+=~/.zfunc before compinit
    penstock completion fish > ~/.config/fish/completions/penstock.fish
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from shlex import quote

from penstock.lowering.modules import EVERY_STAGE
from penstock.runtime.artifacts.manifest import LEVELS
from penstock.tools.shared.program import Program

VALUES = {
    "STAGE": EVERY_STAGE,
    "LEVEL": ("native", *LEVELS),
    "KINDS": ("artifact", "so", "header", "so,header"),
}
"""Metavars -> words to complete; after any other option the shell offers files."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), help="the shell")


def run(arguments: argparse.Namespace) -> int:
    script = {"bash": bash, "zsh": zsh, "fish": fish}[arguments.shell]
    print(script(arguments.program()))
    return 0


def options_of(program: Program, command: str) -> list[argparse.Action]:
    return [action for action in program.parser_of(command)._actions if action.option_strings]


def arguments_of(program: Program, command: str) -> list[str]:
    """The words that a command's arguments may be, if they are known."""
    found: list[str] = []
    for action in program.parser_of(command)._actions:
        if not action.option_strings:
            found += program.commands if action.metavar == "COMMAND" else values_of(action)
    return found


def values_of(action: argparse.Action) -> list[str]:
    return list(map(str, action.choices or VALUES.get(str(action.metavar), ())))


def bash(program: Program) -> str:
    """Words from `compgen -W`; without any, files."""
    return f"""\
_penstock() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} last=${{COMP_WORDS[COMP_CWORD-1]}} words=
    if [ "$COMP_CWORD" = 1 ]; then
        words={quote(" ".join(program.commands))}
    else
        case "${{COMP_WORDS[1]}} $last" in
{_cases(program, 8)}
        esac
    fi
    COMPREPLY=($(compgen -W "$words" -- "$word"))
    [ -n "$words" ] || COMPREPLY=($(compgen -f -- "$word"))
}}
complete -o filenames -F _penstock penstock"""


def _cases(program: Program, indent: int) -> str:
    """The branches of `case "COMMAND LAST-WORD"` that set `words`."""
    lines = []
    for command in program.commands:
        for action in options_of(program, command):
            if action.nargs != 0:
                names = "|".join(f"'{command} {name}'" for name in action.option_strings)
                lines.append(f"{names}) words={quote(' '.join(values_of(action)))} ;;")
        options = [word for one in options_of(program, command) for word in one.option_strings]
        known = " ".join([*arguments_of(program, command), *options])
        words = quote(known)
        if arguments_of(program, command):
            lines.append(f"'{command} '*) words={words} ;;")
        else:  # options only behind a hyphen, since anything else is a file
            lines.append(f"'{command} '*) case $word in -*) words={words} ;; esac ;;")
    return "\n".join(" " * indent + line for line in lines)


def zsh(program: Program) -> str:
    """The commands with their summaries; behind them what bash offers."""
    described = "\n".join(
        f"        {quote(f'{name}:{summary}')}" for name, summary in program.commands.items()
    )
    return f"""\
#compdef penstock
_penstock() {{
    local word=$words[CURRENT] last=$words[CURRENT-1] command=$words[2]
    if (( CURRENT == 2 )); then
        local -a commands=(
{described}
        )
        _describe command commands
        return
    fi
    local words=
    case "$command $last" in
{_cases(program, 4)}
    esac
    if [[ -n $words ]]; then
        compadd -- ${{=words}}
    else
        _files
    fi
}}
if [ "$funcstack[1]" = _penstock ]; then _penstock "$@"; else compdef _penstock penstock; fi"""


def fish(program: Program) -> str:
    return "\n".join(_fish_lines(program))


def _fish_lines(program: Program) -> Iterator[str]:
    for name, summary in program.commands.items():
        first = "complete -c penstock -f -n __fish_use_subcommand"
        yield f"{first} -a {quote(name)} -d {quote(summary)}"
    for name in program.commands:
        within = f"complete -c penstock -n '__fish_seen_subcommand_from {name}'"
        words = arguments_of(program, name)
        if words:
            yield f"{within} -f -a {quote(' '.join(words))}"
        for action in options_of(program, name):
            flags = " ".join(
                f"-l {word[2:]}" if word.startswith("--") else f"-s {word[1:]}"
                for word in action.option_strings
            )
            values = values_of(action)
            takes = "" if action.nargs == 0 else " -r"
            offered = f" -f -a {quote(' '.join(values))}" if values else ""
            yield f"{within} {flags}{takes}{offered} -d {quote(_summary(action))}"


def _summary(action: argparse.Action) -> str:
    return " ".join((action.help or "").replace("%%", "%").split())
