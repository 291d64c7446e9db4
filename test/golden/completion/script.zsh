#compdef vendorctl
# Completion of vendorctl in zsh. Runs vendorctl alone, and nothing else from the line.
_vendorctl() {
  local program=vendorctl
  local -a answer head
  (( $+commands[vendorctl] )) || program='/opt/vendorctl/bin/run.js'
  answer=("${(@f)$(command $program __complete zsh "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null </dev/null)}")
  head=(${=answer[1]})
  shift answer
  (( $#head )) || return 1
  compset -p $head[1]
  if [[ $head[2] == files ]]; then
    _files
    return
  fi
  local -a over more
  over=(${${(M)answer:#=*}#=})
  more=(${${(M)answer:#+*}#+})
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
