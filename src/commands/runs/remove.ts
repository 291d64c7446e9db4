import {Args, Flags} from '@oclif/core'
import {named} from '../../cli/app/flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class RunsRemove extends BaseCommand {
  static override summary = 'Remove runs from this machine: journals of writes, records of exports, syncs and jobs.'
  static override description =
    'Changes nothing at the service. A run in progress is never removed; an unfinished run or one in doubt only by id and with --yes. A removed run can no longer be undone; of an unfinished export what it has read is dropped. A journal that cannot be read blocks writes of the same operation: set it aside with --damaged once you know what it applied.'
  static override strict = false
  static override examples = [
    '<%= config.bin %> <%= command.id %> 20260131-174502-1c84f',
    '<%= config.bin %> <%= command.id %> --older-than 30d',
    '<%= config.bin %> <%= command.id %> 1c84f --damaged',
    '<%= config.bin %> <%= command.id %> exports --damaged',
  ]
  static override args = {id: Args.string({ignoreStdin: true, description: 'One or more run ids.'})}
  static override flags = named({
    'older-than': Flags.string({helpValue: '30d', description: 'Remove runs older than this.'}),
    all: Flags.boolean({description: 'Remove all finished runs.'}),
    damaged: Flags.boolean({
      description: 'Set aside journals that cannot be read and block writes; or `exports`, the register of exports.',
    }),
    yes: Flags.boolean({char: 'y', description: 'Skip the confirmation.'}),
  })

  async run(): Promise<void> {
    const {argv, flags} = await this.parse(RunsRemove)
    const ids = argv.map(String)
    const {runFolderOf} = await import('../../cli/write/own-runs.js')
    const {removeAndReport, setAsideNamed} = await import('../../cli/runs/runs-remove.js')
    const folder = runFolderOf(this.environment)
    const {note} = this.messages
    const caution = (text: string) => this.caution(text)
    if (flags.damaged) await this.present({data: setAsideNamed(folder, ids, flags, note)})
    else await this.present(await removeAndReport(folder, ids, flags, {note, caution}))
  }
}
