import {makeWorkbook, number, row, text} from '../../support/make-workbook.js'
import type * as Published from '../../torture/published/rounds.js'
import type {Choices} from '../choices.js'
import type {SandboxService} from '../service.js'
import type {World} from '../world.js'

export type Line = Pick<Published.Line, 'cells' | 'key'> & {
  operation?: string
  isRight?: (sent: never) => boolean
  /** What the field that the row sets held before. */
  was?: unknown
}

/** One write of some rows: how it is asked for, and how the log of the service knows each of its rows. */
export type Round = Omit<Published.Round, 'lines' | 'back' | 'setSize' | 'doubt'> & {
  lines: Line[]
  back?: Line[]
  setSize?: number
  /** Whether by the contract these rows may stay in doubt. */
  mayDoubt?: (keys: string[]) => boolean
  /** Another person changes what the file does not, or a row that is in doubt. */
  meddle?: (step: number, doubted: readonly string[]) => void
}

type Maker = (service: SandboxService, choices: Choices, count: number) => Round
type Table = 'site' | 'machine' | 'alert'

function take({core}: SandboxService, table: Table, choices: Choices, count: number, name: string = table): string[] {
  const all = core.store.read(table).filter((record) => name !== 'open' || record['isCleared'] === false)
  const first = choices.integer(`first ${name}`, 0, Math.max(0, all.length - count))
  return all.slice(first, first + count).map(({id}) => String(id))
}

/** Places of rows that the service refuses, in every other history. */
const isGuilty = (choices: Choices, index: number) =>
  choices.chance('guilty', 0.5) && choices.chance(`guilty ${index}`, index === 0 ? 0.5 : 0.1)

const globalKey = ({core}: SandboxService) =>
  String(core.store.database.get('SELECT id FROM charge_key WHERE organization_id IS NULL')?.['id'] ?? '')

const createSites: Maker = (service, choices, count) => {
  const all = service.core.store.read('site')
  const names = all.flatMap(({accountId, name}) => (accountId === 201 ? [String(name)] : []))
  return {
    ...{operation: 'sites.create', words: ['sites', 'create']},
    header: 'accountId,orgId,name,isActive,maxChargePrice,maximumMeterSalesJumpAllowed,commissionTerms'.split(','),
    lines: Array.from({length: count}, (_, index) => {
      const name = isGuilty(choices, index) && index < names.length ? String(names[index]) : `sim ${index}`
      return {cells: ['201', '101', name, 'true', String(100 + index), '1000', 'Net30'], key: name}
    }),
  }
}

const updateSites: Maker = (service, choices, count) => {
  const {store} = service.core
  const ids = take(service, 'site', choices, count)
  const meddled = new Map<string, string>()
  const isMatched = choices.chance('matched', 0.3)
  const names = isMatched ? ['name', 'accountId'] : ['id']
  const namesOf = (id: string) => names.map((name) => String(store.find('site', Number(id))?.[name]))
  return {
    ...{operation: 'sites.update', words: ['sites', 'update', ...(isMatched ? ['--match', names.join()] : [])]},
    header: [...names, 'shippingAddress', 'chargeKeyId'],
    lines: ids.map((id, index) => ({
      cells: [...namesOf(id), `sim ${index}`, isGuilty(choices, index) ? globalKey(service) : ''],
      key: id,
      was: store.find('site', Number(id))?.['shippingAddress'],
    })),
    meddle(step, doubted) {
      const [field, all] = doubted.length > 0 ? ['shippingAddress', doubted] : ['billingAddress', ids]
      const id = choices.one(`meddled ${step}`, all as [string])
      meddled.set(`${id} ${field}`, `other ${step}`)
      store.update('site', Number(id), {...store.find('site', Number(id)), [field]: `other ${step}`}, {})
    },
    mayDoubt: (keys) => [...meddled.keys()].some((one) => keys.includes(one.split(' ')[0] ?? '')),
    check: () =>
      [...meddled].flatMap(([name, address]) => {
        const [id, field = ''] = name.split(' ')
        const isLate = service.commits.some((commit) => commit.key === id && commit.isLate) // and replaces all of it
        const isThere = store.find('site', Number(id))?.[field] === address
        return isThere || isLate ? [] : [`site ${id}: ${address} is lost`]
      }),
  }
}

const applySites: Maker = (service, choices, count) => {
  const known = service.core.store.read('site').filter(({name}) => /^[a-z ]+$/i.test(String(name)))
  const fields = ['accountId', 'orgId', 'isActive', 'maximumMeterSalesJumpAllowed', 'commissionTerms']
  return {
    ...{operation: 'sites.update', words: ['sites', 'apply']},
    header: ['name', 'maxChargePrice', 'chargeKeyId', ...fields],
    lines: Array.from({length: count}, (_, index) => {
      const site = known[index] ?? {}
      const isNew = index >= known.length || choices.chance(`new ${index}`, 0.5)
      const name = isNew ? `sim ${index}` : String(site['name'])
      const own = isNew ? ['201', '101', 'true', '1000', 'Net30'] : fields.map((field) => String(site[field]))
      const cells = [name, String(2000 + index), isGuilty(choices, index) ? globalKey(service) : '', ...own]
      return isNew ? {cells, key: name, operation: 'sites.create'} : {cells, key: String(site['id'])}
    }),
  }
}

const createCustomData: Maker = (service, choices, count) => {
  const isLooked = choices.chance('looked up', 0.4)
  const nameOf = (id: string) => String(service.core.store.find('machine', Number(id))?.['prose'])
  return {
    operation: 'machines.custom-data.create',
    words: ['machines', 'custom-data', 'create', ...(isLooked ? ['--lookup', 'machineId=prose'] : [])],
    header: [isLooked ? 'prose' : 'machineId', 'key', 'value'],
    lines: take(service, 'machine', choices, count).map((id, index) => ({
      cells: [isLooked ? nameOf(id) : id, 'sim', `value ${index}`],
      key: `${id}/sim`,
    })),
  }
}

const createAlerts: Maker = (service, choices, count) => {
  const code = service.core.store.read('alert_code').find((one) => one['onlyOneExists'] === false)?.['code']
  return {
    ...{operation: 'alerts.create', words: ['alerts', 'create'], header: ['machineId', 'code', 'message']},
    lines: take(service, 'machine', choices, count).map((id, index) => ({
      cells: [id, isGuilty(choices, index) ? 'no such code' : String(code), `sim ${index}`],
      key: `sim ${index}`,
    })),
  }
}

const updateAlerts: Maker = (service, choices, count) => ({
  ...{operation: 'alerts.update', words: ['alerts', 'update'], header: ['id', 'message'], isRepeatable: true},
  lines: take(service, 'alert', choices, count).map((id, index) => ({
    cells: [id, `sim ${index}`],
    key: id,
    was: service.core.store.find('alert', Number(id))?.['message'],
  })),
})

const clearAlerts: Maker = (service, choices, count) => ({
  ...{operation: 'alerts.clear', words: ['alerts', 'clear'], header: ['id']},
  lines: take(service, 'alert', choices, count, 'open').map((id) => ({cells: [id], key: id})),
})

/** Makes or changes records that are known by a key, whichever file has them. */
export const makersOfFiles = [createSites, updateSites, createCustomData] as const
const ofRecords = [createSites, updateSites, applySites, createCustomData] as const
export const makers = [...ofRecords, createAlerts, updateAlerts, clearAlerts] as const

type Rows = Pick<Round, 'header' | 'lines'>
const formats = ['csv', 'csv', 'csv', 'csv', 'json', 'xlsx'] as const

/** The rows as a file, in one of the formats. Returns its name. */
export async function writeInput(world: World, rows: Rows, name = 'rows'): Promise<string> {
  const format = world.choices.one('format', formats)
  const path = `${name}.${format}`
  world.write(path, await writers[format](rows))
  return path
}

const toGrid = ({header, lines}: Rows) => [header, ...lines.map(({cells}) => cells)]
const writers = {
  csv: (rows: Rows) => toGrid(rows).map(toLine).join(''),
  json: ({header, lines}: Rows) =>
    `[\n${lines.map(({cells}) => JSON.stringify(Object.fromEntries(header.map((name, at) => [name, toJson(cells[at])])))).join(',\n')}\n]\n`,
  xlsx: (rows: Rows) => makeWorkbook({sheets: [{rows: toGrid(rows).map(toRow).join('')}]}),
}

/** Without line breaks in quotes, which would make line numbers other than those of rows. */
const toCell = (cell: string) => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
const toLine = (cells: string[]) => `${cells.map(toCell).join(',')}\n`

const toJson = (cell = ''): unknown =>
  cell === '' ? null : /^(-?\d{1,15}(\.\d+)?|true|false)$/.test(cell) ? JSON.parse(cell) : cell

function toRow(cells: string[], index: number): string {
  const all = cells.map((cell, at) => {
    const place = `${String.fromCharCode(65 + at)}${index + 1}`
    if (cell === '' || /^-?\d{1,15}(\.\d+)?$/.test(cell)) return cell && number(place, cell)
    const escaped = cell.replace(/[&<]/g, (sign) => `&#${sign.charCodeAt(0)};`)
    return text(place, escaped)
  })
  return row(index + 1, all)
}
