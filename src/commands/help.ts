import {Args, Command} from '@oclif/core'

export default class Help extends Command {
  static override summary = 'Show help for a command or a topic.'
  static override description = 'With --verbose, every flag of a command is described.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> sites',
    '<%= config.bin %> <%= command.id %> importing',
    '<%= config.bin %> <%= command.id %> sites create',
  ]
  static override strict = false
  static override args = {
    command: Args.string({ignoreStdin: true, description: 'Command or topic; an overview when left out.'}),
  }

  async run(): Promise<void> {
    const {default: HelpClass} = await import('../cli/start/help-class.js')
    await new HelpClass(this.config).showHelp(['help', ...this.argv])
  }
}
