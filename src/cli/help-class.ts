import {type Command, HelpBase} from '@oclif/core'
import {type HelpFacts, renderHelp} from './help/render-help.js'
import {terminalOf} from './help/terminal.js'
import {standardOutput} from './output.js'

/** What oclif shows as help: the same texts as everywhere else. */
export default class HelpClass extends HelpBase {
  override async showHelp(words: string[]): Promise<void> {
    const text = renderHelp(words, this.#facts(), terminalOf(process.stdout, process.env, words))
    if (text !== undefined) return standardOutput.write(text)
    const [id = '', ...argv] = words.filter((word) => word !== 'help')
    const {failures} = await this.config.runHook('command_not_found', {id, argv})
    if (failures[0]) throw failures[0].error
  }

  override async showCommandHelp(command: Command.Loadable): Promise<void> {
    await this.showHelp(command.id.split(':'))
  }

  #facts(): HelpFacts {
    const commands = Object.fromEntries(this.config.commands.map((command) => [command.id, command]))
    const topics = this.config.pjson.oclif.topics ?? {}
    return {version: this.config.version, topics, commands: commands as unknown as HelpFacts['commands']}
  }
}
