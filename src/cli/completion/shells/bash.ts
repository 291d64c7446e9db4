import {type Answer, type Candidate, matching} from '../answer.js'
import {toPlainLine} from '../plain-text.js'
import {readRedirections} from '../redirections.js'
import {type OpenQuote, splitLine} from '../split-line.js'
import {type Place as Lies, quoted, type Shell} from './shell.js'

/** COMP_TYPE when only a list is shown and nothing is inserted. */
const listing = '63'
const gap = '  '
/** Bash finds them by itself. */
const ownFiles = 'files \n'

export const bash: Shell = {
  script,
  setup: {file: '~/.bashrc', line: 'eval "$(vendorctl autocomplete script bash)"'},
  /** Kind of completion, width, the part of the line that Bash replaces, the line up to the cursor. */
  read: ([type = '', width = '', replaced = '', line = '']) => {
    const {text, isFile} = readRedirections(line)
    if (isFile) return {words: [], render: () => ownFiles}
    const {words, last, open} = splitLine(text)
    const raw = text.slice(last)
    const kept = raw.endsWith(replaced) ? splitLine(raw.slice(0, raw.length - replaced.length)).words.join(' ') : ''
    const render = (answer: Answer) =>
      renderAnswer(answer, {isList: type === listing, width: Number(width), kept, open})
    return {words: words.slice(1), render}
  },
}

type Place = {isList: boolean; width: number; kept: string; open: OpenQuote}

function renderAnswer(answer: Answer, {isList, width, kept, open}: Place): string {
  if (answer.files) return `files ${answer.fixed.startsWith(kept) ? answer.fixed.slice(kept.length) : ''}\n`
  const found = matching(answer)
  if (isList && found.length > 1) return toLines('list', renderList(found, width))
  const texts = found.map(({value}) => `${answer.fixed}${value}`).filter((text) => text.startsWith(kept))
  const inserted = texts.flatMap((text) => quote(text.slice(kept.length), open))
  return toLines(found.some((candidate) => candidate.open) ? 'open' : 'words', inserted)
}

function toLines(kind: string, lines: readonly string[]): string {
  return [kind, ...lines].map((line) => `${line}\n`).join('')
}

function renderList(found: readonly Candidate[], width: number): string[] {
  const longest = Math.max(...found.map(({value}) => value.length))
  return found.map(({value, about = ''}) => {
    const line = about === '' ? value : `${value.padEnd(longest)}${gap}${toPlainLine(about)}`
    return width > longest && line.length >= width ? `${line.slice(0, width - 2)}…` : line
  })
}

/** As it stands on the line; what cannot stand there is left out. */
function quote(text: string, open: OpenQuote): string[] {
  if (open === "'") return [text.replaceAll("'", "'\\''")]
  if (open === '"') return text.includes('!') ? [] : [text.replaceAll(/["\\$`]/g, '\\$&')]
  return [text.replaceAll(/[\s"'`$\\!*?[\]{}()<>|&;#~]/g, '\\$&')]
}

function script({program}: Lies): string {
  return `# Completion of vendorctl in Bash. Runs vendorctl alone, and nothing that stands on the line.
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
