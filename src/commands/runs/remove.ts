import {Args, Flags} from '@oclif/core'
import {BaseCommand} from '../../cli/base-command.js'
import {environmentName as env} from '../../cli/flags.js'
import type {RemoveFlags} from '../../cli/runs-remove.js'

export default class RunsRemove extends BaseCommand {
  static override summary = 'Remove the journals of runs from this machine.'
  static override description =
    'Nothing is changed at the service. A run that is going on is never removed; one that is in doubt or not finished only when it is named, with --yes.'
  static override strict = false
  static override examples = [
    '<%= config.bin %> <%= command.id %> 20260131-174502-1c84f',
    '<%= config.bin %> <%= command.id %> --older-than 30d',
    '<%= config.bin %> <%= command.id %> exports --damaged',
  ]
  static override args = {id: Args.string({ignoreStdin: true, description: 'Ids of runs, as many as you like.'})}
  static override flags = {
    'older-than': Flags.string({env: env('older-than'), helpValue: '30d', description: 'Finished runs of that age.'}),
    all: Flags.boolean({env: env('all'), description: 'All finished runs.'}),
    damaged: Flags.boolean({env: env('damaged'), description: 'Set aside what cannot be read: `exports`.'}),
    yes: Flags.boolean({char: 'y', env: env('yes'), description: 'Do not ask.'}),
  }

  async run(): Promise<void> {
    const {argv, flags} = await this.parse(RunsRemove)
    const {runFolderOf} = await import('../../cli/run-record.js')
    if (flags.damaged) {
      const {setAsideExports} = await import('../../cli/set-aside-exports.js')
      return this.present({data: setAsideExports(this.environment, argv.map(String), this.messages.note)})
    }

    const {removeAsked} = await import('../../cli/runs-remove.js')
    const done = await removeAsked(runFolderOf(this.environment), argv.map(String), flags as RemoveFlags)
    if (!done) return this.present({data: [], exit: 'failure'})
    const {removed, kept} = done
    this.messages.note(removed.length > 0 ? `Removed ${removed.join(', ')}.` : 'Nothing was removed.')
    const [are, them] = kept === 1 ? ['is', 'it'] : ['are', 'them']
    if (kept > 0) this.caution(`${kept} more ${are} kept, for something is open in ${them}: vendorctl runs list --open`)
    await this.present({data: removed})
  }
}
