import {CliFailure} from '../core/errors.js'

const blank = /[ \t\r\n]/
/** Operators that only a shell understands, where an argument begins with one. */
const operator = /[|&;<>()]/
/** Operators of a shell where an argument ends with one. */
const separator = /[|&;]/
/** Characters that a backslash protects between double quotes; elsewhere it protects everything. */
const escapable = /["\\$`\n]/

/**
 * The arguments of a command, split as a POSIX shell splits them and the same on every system: quotes and backslashes protect,
 * and nothing is expanded. Throws `usage` that names the flag where there is no command, or one for a shell.
 */
export function splitArguments(text: string, flag: string): [string, ...string[]] {
  const args: string[] = []
  let arg: string | undefined
  let quote = ''
  /** The last letter of the argument, where nothing protects it. */
  let bare = ''
  for (let place = 0; place < text.length; place++) {
    const letter = text.charAt(place)
    const next = text.charAt(place + 1)
    const end = bare
    bare = ''
    const isEscape = letter === '\\' && quote !== "'" && (quote === '' || escapable.test(next))
    if (isEscape && next === '') throw unusable(flag, 'it ends with a backslash')
    if (isEscape) {
      if (next !== '\n') arg = (arg ?? '') + next
      place++
    } else if (letter === quote) quote = ''
    else if (quote === '' && (letter === '"' || letter === "'")) {
      quote = letter
      arg ??= ''
    } else if (quote === '' && blank.test(letter)) {
      if (separator.test(end)) throw forShell(flag, end)
      if (arg !== undefined) args.push(arg)
      arg = undefined
    } else if (quote === '' && arg === undefined && operator.test(letter)) throw forShell(flag, letter)
    else {
      arg = (arg ?? '') + letter
      bare = quote === '' ? letter : ''
    }
  }

  if (separator.test(bare)) throw forShell(flag, bare)
  if (quote !== '') throw unusable(flag, `a quote is not closed: ${quote}`)
  const [program, ...rest] = arg === undefined ? args : [...args, arg]
  if (!program) throw unusable(flag, 'it names no program')
  if (text.includes('\0')) throw unusable(flag, 'it contains a null character')
  return [program, ...rest]
}

function unusable(flag: string, why: string): CliFailure {
  return new CliFailure(`--${flag} is not a command: ${why}`, {
    code: 'COMMAND_WORDS',
    hints: [`Write a program and its arguments; quote those with blanks: --${flag} 'cp {file} "/mnt/night files/"'`],
  })
}

function forShell(flag: string, letter: string): CliFailure {
  return new CliFailure(`--${flag} is run without a shell, which ${letter} is for`, {
    code: 'COMMAND_WORDS',
    hints: [`Quote ${letter}, put the steps into a script, or name the shell: sh -c 'FIRST && SECOND'`],
  })
}
