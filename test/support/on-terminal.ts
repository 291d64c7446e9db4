import {spawn} from 'node:child_process'
import {fileURLToPath} from 'node:url'
import {stripVTControlCharacters} from 'node:util'

const program = fileURLToPath(new URL('../../bin/run.js', import.meta.url))
const longestMilliseconds = 120_000

const confirmation = /◆[^◆]*(?:\(y\/N|Type "?\w+"? to )|^[^│◆▲■◇\n]*\(y\/N\S*\) $/m

export type Shown = {
  exitCode: number | null
  /** What stood on the terminal, without colours. */
  screen: string
}

/**
 * Runs a line of sh on a terminal of its own, which reports no size; `$vendorctl` in it is the built program. Each of
 * the answers is typed when a question is asked, which is about a yes unless given.
 */
export async function onTerminal(
  line: string,
  environment: Record<string, string>,
  keys: string[],
  question = confirmation,
): Promise<Shown> {
  const child = spawn('script', ['--quiet', '--return', '--command', line, '/dev/null'], {
    cwd: environment['HOME'],
    env: {...environment, PATH: process.env['PATH'], vendorctl: `${process.execPath} ${program}`, TERM: 'xterm'},
    timeout: longestMilliseconds,
  })
  const left = [...keys]
  let screen = ''
  let typedAt = 0
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += stripVTControlCharacters(text)
    const isAsked = question.test(screen.slice(typedAt))
    const key = isAsked ? left.shift() : undefined
    if (key === undefined) return
    typedAt = screen.length
    child.stdin.write(key)
  })
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve)
  })
  return {exitCode, screen: screen.replaceAll('\r', '')}
}
