import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {type Command, HelpBase} from '@oclif/core'
import {guideNames} from '../help/facts.js'
import {type HelpFacts, renderHelp} from '../help/render-help.js'
import {terminalOf} from '../help/terminal-look.js'
import {standardOutput} from '../terminal/output.js'
import {toUnknownSubject} from './unknown-command.js'

/** The help of oclif's own tools: the same texts as in the program. */
export default class HelpClass extends HelpBase {
  override async showHelp(args: string[]): Promise<void> {
    const facts = this.#facts()
    const text = renderHelp(args, facts, terminalOf(process.stdout, process.env, args))
    if (text === undefined) throw toUnknownSubject(args, Object.keys({...facts.commands, ...facts.topics}))
    await standardOutput.write(text)
  }

  override async showCommandHelp(command: Command.Loadable): Promise<void> {
    await this.showHelp(command.id.split(':'))
  }

  #facts(): HelpFacts {
    const commands = Object.fromEntries(this.config.commands.map((command) => [command.id, command]))
    const topics = this.config.pjson.oclif.topics ?? {}
    const folder = join(this.config.root, 'src/cli/help/guides')
    const guides = Object.fromEntries(
      guideNames.map((name) => [name, readFileSync(join(folder, `${name}.md`), 'utf8')]),
    )
    return {version: this.config.version, topics, guides, commands: commands as unknown as HelpFacts['commands']}
  }
}
