import {numberOf, type Row, textOf} from './json.js'
import {stamp, type World} from './world.js'

type Moved = {at: number; selection: number; from: number; to: number; by: 'sale' | 'person' | 'write'}

/** Counts of selections: what was sold, set and adjusted, and when. */
export type Stock = {
  moves: Moved[]
  change: (selection: Row, count: number, by: Moved['by'], isWritten?: boolean) => void
  /** Machines sell and people restock in between; of these selections only. */
  busy: (selections: readonly Row[]) => void
  /** What happens while a request is handled. */
  goOn: () => void
  /** How long ago the stock was last as given, in milliseconds; undefined when it never was. */
  ageOf: (selection: Row, count: number, at: number) => number | undefined
}

/** The other person adjusts by one that no file of the rig holds. */
const ofAnotherPerson = 1

export function createStock(world: World, random: () => number): Stock {
  const moves: Moved[] = []
  let focus: readonly Row[] = []

  function change(selection: Row, count: number, by: Moved['by'], isWritten = false): void {
    const from = numberOf(selection['count'])
    if (from === count && !isWritten) return
    selection['count'] = count
    moves.push({at: performance.now(), selection: numberOf(selection['id']), from, to: count, by})
    world.adjustments.push(toAdjustment(world, selection, {by, size: count - from}))
  }

  function goOn(): void {
    for (let index = 0; index < 3; index++) {
      const selection = focus[Math.floor(random() * focus.length)]
      if (selection === undefined || selection['isActive'] === false || random() < 0.4) continue
      const count = numberOf(selection['count'])
      if (random() < 0.06 && count < numberOf(selection['depth'])) change(selection, count + ofAnotherPerson, 'person')
      else if (count > 0) change(selection, count - 1, 'sale')
    }
  }

  function ageOf(selection: Row, count: number, at: number): number | undefined {
    const id = numberOf(selection['id'])
    const own = moves.filter((move) => move.selection === id && move.at <= at)
    const now = own.at(-1)?.to ?? numberOf(selection['count'])
    if (now === count) return 0
    const left = own.findLast((move) => move.from === count)
    return left === undefined ? undefined : at - left.at
  }

  function busy(selections: readonly Row[]): void {
    focus = selections
  }

  return {moves, change, busy, goOn, ageOf}
}

function toAdjustment(world: World, selection: Row, {by, size}: {by: Moved['by']; size: number}): Row {
  const machine = world.machines.find(({id}) => id === selection['machineId'])
  const at = stamp(world.now())
  const {caller, other} = world.people
  return {
    ...{id: `B${world.nextId()}`, adjustmentOccurredAt: at, takeOccurredAt: at},
    ...{siteId: machine?.['siteId'] ?? 0, siteExternalId: null},
    ...{machineId: textOf(selection['machineId']), machineExternalId: null},
    ...{selection: textOf(selection['selectionNumber']), productId: textOf(selection['productId'])},
    ...{userId: by === 'sale' ? 0 : by === 'person' ? other : caller, externalUserIdentifier: null},
    ...{adjustmentSize: size, newStockLevel: numberOf(selection['count'])},
  }
}
