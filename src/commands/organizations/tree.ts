import {Flags} from '@oclif/core'
import {clientFlags, named} from '../../cli/app/flags.js'
import {filterFlags} from '../../cli/read/filter-flags.js'
import {outputFlags} from '../../cli/read/read-flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

const {organization, account, site} = filterFlags('sites.list')

export default class OrganizationsTree extends BaseCommand {
  static override summary = 'Show the hierarchy of organizations, accounts, sites and machines, with counts.'
  static override description =
    'Reads all four, whatever the depth, and counts what is below each. A record whose parent was not returned is shown below an unknown one. A table is drawn as a tree and -o json is nested; other formats have one row for each record, and so does every format with --where, --sort, --columns or --limit.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --organization 12 --depth machine -o csv',
    "<%= config.bin %> <%= command.id %> --where 'level=site' --where 'machines=0' -o csv",
  ]
  static override flags = named({
    ...{organization, account, site},
    depth: Flags.option({
      options: ['organization', 'account', 'site', 'machine'] as const,
      default: 'site',
      helpGroup: 'OUTPUT',
      description: 'The lowest level that is shown; what is below it is counted.',
    })(),
    ...outputFlags,
    ...clientFlags,
  })

  async run(): Promise<void> {
    const {flags} = await this.parse(OrganizationsTree)
    const {listHierarchy} = await import('../../cli/read/list-hierarchy.js')
    await listHierarchy(flags, this.context)
  }
}
