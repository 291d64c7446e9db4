import {readCommandLine} from './command-line.js'
import {print} from './print.js'
import type {Program} from './program.js'

type Leave = (code: number) => never

/**
 * Runs one command line and resolves with its exit code. Version, help and completion are answered before anything else
 * is loaded.
 */
export async function start(args: string[], program: Program, leave: Leave): Promise<number> {
  if (args[0] === '__complete' || args[0] === 'autocomplete') {
    const {answerCompletion} = await import('../completion/main.js')
    const text = await answerCompletion(args, program)
    if (text !== undefined) return print(text)
  }

  const asked = readCommandLine(args, program.commands, program.topics)
  if (asked.kind === 'version') return print(describeVersion(program))
  if (asked.kind === 'help') {
    const {findHelp} = await import('./find-help.js')
    const text = await findHelp(args, program)
    if (text !== undefined) return print(text)
  }

  const {main} = await import('../app/main.js')
  return main(args, asked, program, leave)
}

function describeVersion({version}: Program): string {
  return `vendorctl/${version} ${process.platform}-${process.arch} node-${process.version}\n`
}
