import {isatty} from 'node:tty'
import type {Program} from '../app/program.js'
import {readFacts} from '../help/facts.js'
import {findSubject} from '../help/help-subject.js'
import {renderRootHelp} from '../help/render-topics.js'
import {terminalOf} from '../help/terminal-look.js'

/** The help that a command line asks for; undefined when there is no such command or topic. The first page needs no contract. */
export async function findHelp(args: readonly string[], program: Program): Promise<string | undefined> {
  const isFirstPage = findSubject(args, {topics: [], commands: []})?.kind === 'root'
  const {topics, guides, commands} = await (isFirstPage ? program.overview() : program.facts())
  const facts = {version: program.version, topics, guides, commands: readFacts(commands)}
  const terminal = terminalOf(isatty(1) ? process.stdout : {}, process.env, args)
  if (isFirstPage) return renderRootHelp(facts, terminal)
  const {renderHelp} = await import('../help/render-help.js')
  return renderHelp(args, facts, terminal)
}
