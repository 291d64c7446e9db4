import {
  type Candidate,
  matching,
  type Place,
  quoted,
  readShellLine,
  type Shell,
  type ShellLine,
  toLines,
  toPlainLine,
} from './shell.js'

/** COMP_TYPE when only a list is shown and nothing is inserted. */
const listing = '63'
const gap = '  '

export const bash: Shell = {
  script,
  setup: {file: '~/.bashrc', line: 'eval "$(vendorctl autocomplete script bash)"'},
  /** Kind of completion, width, the part of the line that Bash replaces, the line up to the cursor. */
  async answer([type = '', width = '', replaced = '', line = ''], complete) {
    const {words, raw, open, isFile} = readShellLine(line)
    if (isFile) return toLines(['files ']) // Bash finds them by itself
    const kept = raw.endsWith(replaced) ? unquote(raw.slice(0, raw.length - replaced.length)) : ''
    const found = await complete(words.slice(1))
    if (found.files) return toLines([`files ${found.fixed.startsWith(kept) ? found.fixed.slice(kept.length) : ''}`])
    const candidates = matching(found)
    if (type === listing && candidates.length > 1) return toLines(['list', ...describe(candidates, Number(width))])
    const texts = candidates.map(({value}) => `${found.fixed}${value}`).filter((text) => text.startsWith(kept))
    const kind = candidates.some((candidate) => candidate.open) ? 'open' : 'words'
    return toLines([kind, ...texts.flatMap((text) => quote(text.slice(kept.length), open))])
  },
}

function unquote(text: string): string {
  return readShellLine(text).words.join(' ')
}

function describe(candidates: readonly Candidate[], width: number): string[] {
  const longest = Math.max(...candidates.map(({value}) => value.length))
  return candidates.map(({value, about = ''}) => {
    const line = about === '' ? value : `${value.padEnd(longest)}${gap}${toPlainLine(about)}`
    return width > longest && line.length >= width ? `${line.slice(0, width - 2)}…` : line
  })
}

/** A text as the line must spell it within the open quote; none for a text that cannot be spelled there. */
function quote(text: string, open: ShellLine['open']): string[] {
  if (open === "'") return [text.replaceAll("'", "'\\''")]
  if (open === '"') return text.includes('!') ? [] : [text.replaceAll(/["\\$`]/g, '\\$&')]
  return [text.replaceAll(/[\s"'`$\\!*?[\]{}()<>|&;#~]/g, '\\$&')]
}

function script({program}: Place): string {
  return `# Completion of vendorctl in Bash. Runs vendorctl alone, and nothing else from the line.
_vendorctl() {
  local program=vendorctl kind= line= answer=
  COMPREPLY=()
  type -P vendorctl >/dev/null || program=${quoted(program)}
  answer=$(command "$program" __complete bash "\${COMP_TYPE-9}" "\${COLUMNS-80}" "\${2-}" "\${COMP_LINE:0:COMP_POINT}" 2>/dev/null </dev/null)
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
        [[ -z $line ]] || COMPREPLY+=("\${kind#files }$line")
      done <<< "$(compgen -f -- "\${2#"\${kind#files }"}")"
      ;;
    open) compopt -o nospace 2>/dev/null ;;
    list) compopt -o nosort 2>/dev/null ;;
  esac
}
complete -F _vendorctl vendorctl
`
}
