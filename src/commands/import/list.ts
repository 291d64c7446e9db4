import {jobsFlags} from '../../cli/jobs/jobs-flags.js'
import {recordFlags} from '../../cli/read/read-flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class ImportList extends BaseCommand {
  static override summary = 'List the recipes of the jobs file.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --jobs-file ./jobs.yaml -o json',
  ]
  static override flags = {...jobsFlags, ...recordFlags}

  async run(): Promise<void> {
    const {flags} = await this.parse(ImportList)
    const {listRecipes} = await import('../../cli/jobs/list-jobs.js')
    await listRecipes(flags, this.context)
  }
}
