# Completion of vendorctl in Bash. Runs vendorctl alone, and nothing else from the line.
_vendorctl() {
  local program=vendorctl kind= line= answer=
  COMPREPLY=()
  type -P vendorctl >/dev/null || program='/opt/vendorctl/bin/run.js'
  answer=$(command "$program" __complete bash "${COMP_TYPE-9}" "${COLUMNS-80}" "${2-}" "${COMP_LINE:0:COMP_POINT}" 2>/dev/null </dev/null)
  while IFS= read -r line; do
    if [[ -z $kind ]]; then
      kind=$line
    else
      COMPREPLY+=("$line")
    fi
  done <<< "$answer"
  case $kind in
    'files ') compopt -o default 2>/dev/null ;;
    'files '*)
      compopt -o filenames 2>/dev/null
      while IFS= read -r line; do
        [[ -z $line ]] || COMPREPLY+=("${kind#files }$line")
      done <<< "$(compgen -f -- "${2#"${kind#files }"}")"
      ;;
    open) compopt -o nospace 2>/dev/null ;;
    list) compopt -o nosort 2>/dev/null ;;
  esac
}
complete -F _vendorctl vendorctl
