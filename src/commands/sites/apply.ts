import {BaseCommand} from '../../cli/start/base-command.js'
import {applyFlags} from '../../cli/write/write-flags.js'

export default class SitesApply extends BaseCommand {
  static override summary = 'Update the sites of a file that exist, and create the others.'
  static override description =
    'A row is that of an existing record by its account and name, or by the columns of --match. A row without a difference is left alone, and nothing is deleted. A new name that is nearly an existing one stops everything, unless --allow-similar is given or a person says yes. Updates are sent before creates.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --file sites.csv --dry-run',
    '<%= config.bin %> <%= command.id %> --file sites.csv --yes',
    '<%= config.bin %> <%= command.id %> --file sites.csv --no-create --yes',
  ]
  static override flags = applyFlags

  async run(): Promise<void> {
    const {flags} = await this.parse(SitesApply)
    const {applyFile} = await import('../../cli/write/write-from-file.js')
    await applyFile('sites.update', flags, this.context)
  }
}
