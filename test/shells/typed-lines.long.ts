import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'vitest'
import {test} from '../support/binary.js'
import {prepareNames, type TypedShell, typedLines, typeInShell} from '../support/typed-lines.js'

const matcher = "zstyle ':completion:*' matcher-list 'm:{a-zA-Z}={A-Za-z}' 'r:|[._-]=* r:|=*'"

/** Each shell as it comes, and with settings that break completions of others. One that is not installed fails. */
const shells: readonly (readonly [shell: TypedShell, settings: string])[] = [
  ['bash', ''],
  ['bash', 'set -o posix; set -u'],
  ['bash', 'set -f; IFS=,; shopt -s failglob nullglob'],
  ['bash', '. /usr/share/bash-completion/bash_completion'],
  ['bash', "COMP_WORDBREAKS=' '"],
  ['zsh', ''],
  ['zsh', 'autoload -Uz compinit; compinit -i; setopt ksh_arrays sh_word_split glob_subst'],
  ['zsh', 'setopt extended_glob noglob nounset'],
  ['zsh', `${matcher}; zstyle ':completion:*' menu select=3; zstyle ':completion:*' verbose no`],
  ['fish', ''],
  ['fish', 'set -g fish_greeting hello; set -g fish_key_bindings fish_vi_key_bindings'],
]

test.for(shells)('%s %s', async ([shell, settings], {home}) => {
  prepareNames(home)

  const typed = await typeInShell(
    shell,
    home,
    typedLines.map(([line]) => line),
    settings,
  )

  expect(typed.taken, typed.screen).toEqual(typedLines.map(([, words]) => words))
  expect(existsSync(join(home.path, 'work', 'run-by-tab'))).toBe(false)
})
