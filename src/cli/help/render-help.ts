import {toCommandName} from '../../values/command-facts.js'
import type {HelpFacts, Terminal} from './facts.js'
import {findSubject, type KnownNames} from './help-subject.js'
import {renderCommandHelp} from './render-command.js'
import {renderGuide} from './render-guide.js'
import {renderRootHelp, renderTopicHelp, topicNames} from './render-topics.js'

export type {HelpFacts} from './facts.js'

/** Help for a command line; undefined when it names no command and no topic. */
export function renderHelp(args: readonly string[], facts: HelpFacts, terminal: Terminal): string | undefined {
  const isVerbose = args.some((word) => word === '--verbose' || word === '-v')
  const subject = findSubject(args, namesOf(facts))
  if (subject === undefined) return undefined
  if (subject.kind === 'root') return renderRootHelp(facts, terminal)
  if (subject.kind === 'topic') return renderTopicHelp(subject.name, facts, terminal)
  if (subject.kind === 'guide') return renderGuide(facts.guides[subject.name] ?? '', terminal)
  const id = Object.keys(facts.commands).find((each) => toCommandName(each) === subject.name)
  const command = id === undefined ? undefined : facts.commands[id]
  return id === undefined || command === undefined ? undefined : renderCommandHelp(id, command, terminal, isVerbose)
}

export function namesOf(facts: HelpFacts): KnownNames {
  return {topics: topicNames(facts), commands: Object.keys(facts.commands).map(toCommandName)}
}
