import type {Answer, Candidate} from '../answer.js'
import {toPlainLine} from '../plain-text.js'
import {splitLine} from '../split-line.js'
import type {Place, Shell} from './shell.js'

export const fish: Shell = {
  script,
  setup: {file: '~/.config/fish/config.fish', line: 'vendorctl autocomplete script fish | source'},
  /** The words before the cursor without quotes, then the one at the cursor as it is typed. */
  read: (given) => ({words: [...given.slice(0, -1), splitLine(given.at(-1) ?? '').words.join(' ')], render}),
}

/** Names of files are found by fish: the first line says so, and what stands before them. */
function render({fixed, typed, files, candidates}: Answer): string {
  const lines = files ? ['files', fixed, typed] : ['words', ...candidates.map((each) => toLine(fixed, each))]
  return lines.map((line) => `${line}\n`).join('')
}

function toLine(fixed: string, {value, about = ''}: Candidate): string {
  return `${fixed}${value}${about === '' ? '' : `\t${toPlainLine(about)}`}`
}

function script({program}: Place): string {
  return `# Completion of vendorctl in fish. Runs vendorctl alone, and nothing that stands on the line.
function __vendorctl_complete
    set -l program vendorctl
    command -sq vendorctl; or set program ${quotedForFish(program)}
    set -l words (commandline -opc)
    set -l answer (command $program __complete fish $words[2..-1] (commandline -ct | string collect) 2>/dev/null </dev/null)
    if test "$answer[1]" = words
        string join -- \\n $answer[2..-1]
    else if test "$answer[1]" = files
        for path in (__fish_complete_path "$answer[3]")
            echo -- "$answer[2]$path"
        end
    end
end
# Rules that stand in files are loaded when they are first asked for: load them now, so that none comes after these.
complete -C 'vendorctl -' >/dev/null
complete -c vendorctl -e
complete -c vendorctl -f -k -a '(__vendorctl_complete)'
`
}

function quotedForFish(text: string): string {
  return `'${text.replaceAll(/['\\]/g, '\\$&')}'`
}
