import {Args} from '@oclif/core'
import {type ShellName, shellNames} from '../../cli/completion/shells/shell.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class Autocomplete extends BaseCommand {
  static override summary = 'Show how to set up Tab completion in a shell.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> zsh',
    '<%= config.bin %> <%= command.id %> powershell --json',
  ]
  static override args = {
    shell: Args.string({
      options: shellNames,
      ignoreStdin: true,
      description: 'Shell to set up; the current one by default.',
    }),
  }

  async run(): Promise<void> {
    const {args} = await this.parse(Autocomplete)
    const {describeSetup, guessShell, shells} = await import('../../cli/completion/shells/index.js')
    const shell = (args.shell as ShellName | undefined) ?? guessShell(this.environment)
    await this.present({data: {shell, ...shells[shell].setup}, text: describeSetup(shell)})
  }
}
