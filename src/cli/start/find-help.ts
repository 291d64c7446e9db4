import {isatty} from 'node:tty'
import type {CommandFacts, HelpFacts} from '../help/facts.js'
import {renderHelp} from '../help/render-help.js'
import {terminalOf} from '../help/terminal.js'
import type {Program, WrittenFacts} from './program.js'

/** The help that a command line asks for; undefined when there is no such command or topic. */
export async function findHelp(args: readonly string[], program: Program): Promise<string | undefined> {
  const facts = readFacts(await program.facts(), program.version)
  return renderHelp(args, facts, terminalOf(isatty(1) ? process.stdout : {}, process.env, args))
}

/** Reads of a command only when it is asked about. */
function readFacts({topics, guides, commands}: WrittenFacts, version: string): HelpFacts {
  const read = {}
  for (const [id, text] of Object.entries(commands)) {
    Object.defineProperty(read, id, {enumerable: true, get: () => JSON.parse(text) as CommandFacts})
  }

  return {version, topics, guides, commands: read}
}
