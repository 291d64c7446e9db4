import {BaseCommand} from '../../cli/start/base-command.js'
import {writeFlags} from '../../cli/write/write-flags.js'

export default class RoleRightsUpdate extends BaseCommand {
  static override summary = 'Update role rights from a file; three false flags delete one.'
  static override description =
    'The file needs the column id and the flags to change. A role right whose three flags are all false is deleted by the service; deletions are counted and confirmed apart.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --file rights.csv --dry-run',
    '<%= config.bin %> <%= command.id %> --file rights.csv --confirm-count 3 --yes',
  ]
  static override flags = writeFlags('role-rights.update')

  async run(): Promise<void> {
    const {flags} = await this.parse(RoleRightsUpdate)
    const {writeFromFile} = await import('../../cli/write/write-from-file.js')
    await writeFromFile('role-rights.update', flags, this.context)
  }
}
