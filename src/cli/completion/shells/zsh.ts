import {type Candidate, type Place, quoted, type Shell, toLines, toPlainLine} from './shell.js'

export const zsh: Shell = {
  script,
  setup: {file: '~/.zshrc', line: 'eval "$(vendorctl autocomplete script zsh)"'},
  /** Length of the kept part and whether a file is meant; then each word, after a sign for one that is not complete. */
  async answer(words, complete) {
    const {fixed, files, candidates} = await complete(words)
    return toLines([`${fixed.length} ${files ? 'files' : 'words'}`, ...candidates.map(toEntry)])
  },
}

function toEntry({value, about = '', open}: Candidate): string {
  const word = value.replaceAll(/[\\:]/g, '\\$&')
  return `${open ? '+' : '='}${about === '' ? word : `${word}:${toPlainLine(about)}`}`
}

function script({program}: Place): string {
  return `#compdef vendorctl
# Completion of vendorctl in zsh. Runs vendorctl alone, and nothing else from the line.
_vendorctl() {
  local program=vendorctl
  local -a answer head
  (( $+commands[vendorctl] )) || program=${quoted(program)}
  answer=("\${(@f)$(command $program __complete zsh "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null </dev/null)}")
  head=(\${=answer[1]})
  shift answer
  (( $#head )) || return 1
  compset -p $head[1]
  if [[ $head[2] == files ]]; then
    _files
    return
  fi
  local -a over more
  over=(\${\${(M)answer:#=*}#=})
  more=(\${\${(M)answer:#+*}#+})
  local result=1
  (( $#over )) && _describe -V -t values value over && result=0
  (( $#more )) && _describe -V -t values value more -S '' && result=0
  return result
}
if [[ $funcstack[1] == _vendorctl ]]; then
  _vendorctl "$@"
else
  if (( ! $+functions[compdef] )); then
    autoload -Uz compinit
    compinit -i
  fi
  compdef _vendorctl vendorctl
fi
`
}
