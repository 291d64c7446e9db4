import type {Random} from '../../../src/sandbox/seed/random.js'
import {digits, numberOf, type Row, textOf} from './json.js'
import type {Service} from './service.js'
import {addSite, addTemplate, isOf} from './world.js'

/** A row of a file: what the ledger calls it, and whether what was sent for it is what the file says. */
export type Line = {cells: string[]; key: string; isRight: (sent: Row) => boolean}

export type Round = {
  operation: string
  words: string[]
  header: string[]
  lines: Line[]
  /** The file becomes a plan first, and the plan is applied. */
  isPlanned?: true
  /** Of a round that is about undoing: what the way back sends. */
  back?: Line[]
  setSize: number
  /** Whether a second time changes nothing. */
  isRepeatable?: true
  /** What by the contract keeps rows in doubt: counts that were sold, or adjusted by another person. */
  doubt?: 'sold' | 'adjusted'
  /** What is wrong with the records afterwards, beyond what the ledger shows. */
  check?: () => string[]
}

export type Maker = (service: Pick<Service, 'world' | 'stock'>, random: Random, name: string) => Round

const rowCount = 24
const setSize = 4

/** Selections that are alive, from machines all over the service; they sell during the round. */
function takeSelections({world, stock}: Pick<Service, 'world' | 'stock'>, random: Random, count = rowCount): Row[] {
  const alive = world.selections.filter((row) => row['isActive'] === true && numberOf(row['depth']) === 20)
  const start = Math.floor(random() * (alive.length - count * 7))
  const taken = Array.from({length: count}, (_, index) => alive[start + index * 7] ?? {})
  for (const row of taken) if (numberOf(row['count']) < 8) row['count'] = 12
  stock.busy(taken)
  return taken
}

const idOf = (row: Row) => textOf(row['id'])
const cents = (value: number) => (value / 100).toFixed(2)

/** Fields that no file of the round names must be as they were; the count is the business of the stock. */
function watch(rows: readonly Row[], changed: readonly string[]): () => string[] {
  const fixed = (row: Row) =>
    Object.entries(row)
      .filter(([field]) => ![...changed, 'count', 'hasPlanogramChange', 'friendlyNumber'].includes(field))
      .map(([field, value]) => `${field}=${textOf(value)}`)
  const before = rows.map(fixed)
  return () =>
    rows.flatMap((row, index) => {
      const left = fixed(row).filter((text) => !before[index]?.includes(text))
      return left.length === 0 ? [] : [`${idOf(row)}: changed without being in the file: ${left.join(' ')}`]
    })
}

const isPrice = (sent: Row, price: string) => numberOf(sent['price']) === Number(price)

const updatePrices: Maker = (service, random) => {
  const rows = takeSelections(service, random)
  return {
    ...{operation: 'selections.update', words: ['selections', 'update'], header: ['id', 'price'], setSize},
    lines: rows.map((row, index) => {
      const price = cents(numberOf(row['price']) * 100 + 5 + index)
      return {cells: [idOf(row), price], key: idOf(row), isRight: (sent) => isPrice(sent, price)}
    }),
    check: watch(rows, ['price']),
  }
}

const updateCounts: Maker = (service, random) => {
  const rows = takeSelections(service, random)
  return {
    ...{
      operation: 'selections.update',
      words: ['selections', 'update'],
      header: ['id', 'alertLevel', 'count'],
      setSize,
    },
    doubt: 'sold',
    lines: rows.map((row) => {
      const [level, count] = [numberOf(row['alertLevel']) === 2 ? 3 : 2, 19]
      const isRight = (sent: Row) => sent['alertLevel'] === level && sent['count'] === count
      return {cells: [idOf(row), String(level), String(count)], key: idOf(row), isRight}
    }),
    check: watch(rows, ['alertLevel']),
  }
}

/** A raise must not be raised again. */
const raisePrices: Maker = (service, random) => {
  const rows = takeSelections(service, random)
  for (const row of rows) row['price'] = digits(cents(100 + Math.floor(random() * 300)))
  return {
    ...{operation: 'selections.update', header: ['id'], setSize},
    words: ['selections', 'update', '--change', 'price=+10%', '--round', '0.05'],
    lines: rows.map((row) => {
      const price = cents(Math.round((numberOf(row['price']) * 110) / 5 + 1e-9) * 5)
      return {cells: [idOf(row)], key: idOf(row), isRight: (sent) => isPrice(sent, price)}
    }),
    check: watch(rows, ['price']),
  }
}

const matchPrices: Maker = (service, random) => {
  const rows = takeSelections(service, random)
  const price = cents(150 + Math.floor(random() * 500))
  return {
    ...{operation: 'selections.update', header: ['machineId', 'selectionNumber'], setSize},
    words: ['selections', 'update', '--match', 'machineId,selectionNumber', '--set', `price=${price}`],
    lines: rows.map((row) => ({
      cells: [textOf(row['machineId']), textOf(row['selectionNumber'])],
      key: idOf(row),
      isRight: (sent) => isPrice(sent, price),
    })),
    check: watch(rows, ['price']),
  }
}

const createSelections: Maker = ({world}, random, name) => ({
  ...{operation: 'selections.create', words: ['selections', 'create'], setSize},
  header: [
    ...['machineId', 'selectionNumber', 'price', 'invoicePrice', 'restockTo', 'depth', 'count', 'freeCount'],
    'commission',
  ],
  lines: Array.from({length: rowCount}, (_, index) => {
    const machine = idOf(world.machines[Math.floor(random() * world.machines.length)] ?? {})
    const number = `${name.replaceAll(' ', '')}x${index}`
    const cells = [machine, number, '1.25', '0.5', '4', '5', '3', '0', '0']
    return {cells, key: `${machine}/${number}`, isRight: (sent) => isPrice(sent, '1.25') && sent['count'] === 3}
  }),
})

const deleteSelections: Maker = (service, random) => ({
  ...{operation: 'selections.delete', words: ['selections', 'delete'], header: ['id'], setSize},
  lines: takeSelections(service, random).map((row) => ({cells: [idOf(row)], key: idOf(row), isRight: () => true})),
})

/** Sizes that the other person never adjusts by. */
const adjust =
  (toDelta: (row: Row, index: number) => number): Maker =>
  (service, random) => ({
    ...{
      operation: 'selections.adjust',
      words: ['selections', 'adjust'],
      header: ['selectionId', 'delta'],
      setSize,
      doubt: 'adjusted',
    },
    lines: takeSelections(service, random).map((row, index) => {
      const delta = toDelta(row, index)
      return {cells: [idOf(row), String(delta)], key: idOf(row), isRight: (sent) => sent['delta'] === delta}
    }),
  })

const applyTemplate: Maker = ({world, stock}, random) => {
  const [organization] = world.organizations
  const template = addTemplate(world, numberOf(organization?.['id']))
  const machines = world.machines.filter((row) => row['organizationId'] === organization?.['id'])
  const start = Math.floor(random() * 8)
  const taken = machines.slice(start, start + 12)
  stock.busy(world.selections.filter((row) => taken.some((machine) => isOf(machine, row['machineId']))))
  return {
    ...{operation: 'templates.apply', header: [], setSize, isRepeatable: true},
    words: ['templates', 'apply', '--template', String(template), '--machine', taken.map(idOf).join(',')],
    lines: taken.map((row) => ({
      cells: [],
      key: idOf(row),
      isRight: (sent) => textOf(sent['templateId']) === String(template),
    })),
  }
}

const updateMachines: Maker = ({world}, random, name) => {
  const start = Math.floor(random() * 20)
  const rows = world.machines.filter((row) => textOf(row['prose']).startsWith('PRS')).slice(start, start + rowCount)
  return {
    ...{operation: 'machines.update', words: ['machines', 'update'], header: ['id', 'name', 'siteId'], setSize},
    lines: rows.map((row, index) => {
      const sites = world.sites.filter((site) => site['orgId'] === row['organizationId'] && site['isEnabled'] === true)
      const [own, site] = [`${name} ${index}`, idOf(sites[index % sites.length] ?? {})]
      const isRight = (sent: Row) => sent['name'] === own && textOf(sent['siteId']) === site
      return {cells: [idOf(row), own, site], key: idOf(row), isRight}
    }),
    check: watch(rows, ['name', 'siteId']),
  }
}

/** One request each. */
const provision: Maker = ({world}, random) => {
  const machines = world.machines.filter((row) => textOf(row['prose']).startsWith('PRS'))
  const start = Math.floor(random() * (machines.length - 8))
  return {
    ...{operation: 'machines.provision', header: ['prose'], setSize: 1},
    words: ['machines', 'provision', '--organization', '2'],
    lines: machines.slice(start, start + 8).map((row) => {
      const prose = textOf(row['prose'])
      return {cells: [prose], key: prose, isRight: () => true}
    }),
  }
}

const setSettings: Maker = ({world}, random, name) => {
  const start = Math.floor(random() * (world.machines.length - rowCount))
  return {
    ...{operation: 'machines.settings.set', words: ['machines', 'settings', 'set'], setSize},
    header: ['machineId', 'type', 'settings', 'isActive'],
    lines: world.machines.slice(start, start + rowCount).map((row, index) => {
      const own = `${name} ${index}`
      return {cells: [idOf(row), 'hardware', own, 'true'], key: idOf(row), isRight: (sent) => sent['settings'] === own}
    }),
  }
}

const createRights: Maker = ({world}, random) => {
  const first = 100_000 + Math.floor(random() * 800_000)
  return {
    ...{operation: 'role-rights.create', words: ['role-rights', 'create'], setSize},
    header: ['roleId', 'rightId', 'canView', 'canEdit', 'canExecute'],
    lines: Array.from({length: rowCount}, (_, index) => {
      const [role, right] = [idOf(world.roles[index % world.roles.length] ?? {}), String(first + index)]
      const isRight = (sent: Row) => sent['canView'] === true && sent['canEdit'] === false
      return {cells: [role, right, 'true', 'false', 'true'], key: `${role}/${right}`, isRight}
    }),
  }
}

/** Every third is deleted. */
const updateRights: Maker = ({world}, random) => {
  const first = 1_000_000 + Math.floor(random() * 800_000)
  const rows = Array.from({length: rowCount}, (_, index) => {
    const roleId = world.roles[index % world.roles.length]?.['id'] ?? 0
    const pair = {id: world.nextId(), roleId, rightId: first + index}
    const row: Row = {...pair, canView: true, canEdit: false, canExecute: false}
    world.roleRights.push(row)
    return row
  })
  return {
    ...{operation: 'role-rights.update', words: ['role-rights', 'update'], setSize},
    header: ['id', 'roleId', 'rightId', 'canView', 'canEdit', 'canExecute'],
    lines: rows.map((row, index) => {
      const flags = index % 3 === 0 ? [false, false, false] : [true, true, false]
      const cells = [idOf(row), textOf(row['roleId']), textOf(row['rightId']), ...flags.map(String)]
      return {cells, key: idOf(row), isRight: (sent) => sent['canView'] === flags[0] && sent['canEdit'] === flags[1]}
    }),
    check: watch(rows, ['canView', 'canEdit', 'canExecute']),
  }
}

const deleteSites: Maker = ({world}, _random, name) => ({
  ...{operation: 'sites.delete', words: ['sites', 'delete'], header: ['id'], setSize},
  lines: Array.from({length: rowCount}, (_, index) => {
    const site = addSite(world, {accountId: 11, orgId: 1, name: `${name} ${index}`})
    return {cells: [idOf(site)], key: idOf(site), isRight: () => true}
  }),
})

const planned =
  (maker: Maker): Maker =>
  (...given) => ({...maker(...given), isPlanned: true})

/** The run goes through, and what undoes it is killed. */
const undone =
  (maker: Maker, toBack: (line: Line, index: number) => Line['isRight']): Maker =>
  (...given) => {
    const {check, doubt, ...round} = maker(...given)
    const back = round.lines.map((line, index) => ({...line, isRight: toBack(line, index)}))
    return {...round, back, ...(doubt === 'adjusted' && {doubt})}
  }

const undoAdjust = undone(
  adjust((_row, index) => 2 + (index % 3)),
  ({cells}) =>
    (sent) =>
      sent['delta'] === -Number(cells[1]),
)
const undoPrices = undone(updatePrices, () => (sent) => isPrice(sent, '1.50'))
const undoSettings = undone(setSettings, () => (sent) => sent['settings'] === '{"volume": 3}')
const undoMachines = undone(
  updateMachines,
  ({key}) =>
    (sent) =>
      sent['name'] === `machine ${key}`,
)

/** Every new write; those that are hardest to prove come more than once. */
export const makers: readonly Maker[] = [
  updatePrices,
  adjust((_row, index) => 2 + (index % 3)),
  createSelections,
  raisePrices,
  adjust((_row, index) => -2 - (index % 3)),
  deleteSelections,
  applyTemplate,
  updateCounts,
  updateMachines,
  adjust((row, index) => (index % 4 === 0 ? 1 - numberOf(row['count']) : 3)),
  setSettings,
  matchPrices,
  createRights,
  provision,
  updateRights,
  deleteSites,
  undoAdjust,
  planned(raisePrices),
  planned(adjust((_row, index) => 2 + (index % 3))),
  undoPrices,
  undoSettings,
  undoMachines,
]
