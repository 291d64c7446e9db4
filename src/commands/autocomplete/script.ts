import {Args} from '@oclif/core'
import {type ShellName, shellNames} from '../../cli/completion/shells/shell.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class AutocompleteScript extends BaseCommand {
  static override summary = 'Print the completion script of a shell.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> bash > ~/.local/share/bash-completion/completions/vendorctl',
    '<%= config.bin %> <%= command.id %> fish | source',
  ]
  static override args = {
    shell: Args.string({
      options: shellNames,
      required: true,
      ignoreStdin: true,
      description: 'Shell that loads the script.',
    }),
  }

  async run(): Promise<void> {
    const {args} = await this.parse(AutocompleteScript)
    const {findProgram} = await import('../../cli/completion/answer-completion.js')
    const {shells} = await import('../../cli/completion/shells/index.js')
    const script = shells[args.shell as ShellName].script(findProgram())
    await this.present({data: {shell: args.shell, script}, text: script})
  }
}
