import {type Asked, type Foreign, type Reply, startForeign} from './foreign-server.js'

export type StockRules = {
  /** How far its clock is ahead, in milliseconds. */
  ahead?: number
  /** Whether it says its time. */
  isSilent?: boolean
  /** Where its report of changes lies. */
  report?: string
  /** What happens to the nth set of differences, from 1: done and lost, or lost before. */
  loses?: Record<number, 'answer' | 'request'>
}

export type ForeignStock = Foreign & {counts: Map<string, number>; sold(id: string): void}

/** A service of four selections, written from the published documentation alone; its times are whole seconds. */
export async function startForeignStock(rules: StockRules = {}): Promise<ForeignStock> {
  const {ahead = 0, isSilent = false, report = '/inventory', loses = {}} = rules
  const counts = new Map(['7', '8', '9', '10'].map((id) => [id, 5]))
  const changes: {at: string; id: string; size: number; user: string}[] = []
  const now = () => new Date(Date.now() + ahead)
  const machineOf = (id: string) => (id === '10' ? '102' : '101')
  const date = (): Record<string, string> => ({date: isSilent ? '' : now().toUTCString()})
  const change = (id: string, size: number, user: string) => {
    counts.set(id, (counts.get(id) ?? 0) + size)
    changes.push({at: now().toISOString().slice(0, 19), id, size, user})
  }
  let sets = 0

  /** Selection numbers are numbers here and texts in the report, where ids of machines and users are texts. */
  const selection = (id: string) =>
    `{"ID":${id},"MachineId":${machineOf(id)},"SelectionNumber":${id},"Count":${counts.get(id)},"Depth":20,"IsActive":true}`
  const adjustment = ({at, id, size, user}: (typeof changes)[number], place: number) =>
    `{"Id":"B${place}","AdjustmentOccurredAt":"${at}","MachineId":"${machineOf(id)}","Selection":"0${id}","UserId":"${user}","AdjustmentSize":${size},"NewStockLevel":0}`

  const page = (rows: readonly string[], size: string): Reply => ({
    headers: {...date(), page: '1', size, 'total-pages': '1'},
    body: `[${rows.join(',')}]`,
  })

  function answer({path, method, json, headers}: Asked): Reply | undefined {
    const {
      machineIdentifiers: machines,
      StartDate = '',
      EndDate = '',
    } = (json?.requestFilter ?? {}) as Record<string, string>
    const ids = (json?.requestFilter?.['selectionIds'] ?? [...counts.keys()]) as string[]
    if (headers['access-token'] !== 'token-1') return undefined
    if (path === '/selections' && method === 'GET')
      return page(
        [...counts.keys()]
          .filter((id) => ids.includes(id) && (machines?.includes(machineOf(id)) ?? true))
          .map(selection),
        headers['size'] ?? '50',
      )
    if (path === report && method === 'GET') {
      const isMeant = (one: (typeof changes)[number]) =>
        machines?.includes(machineOf(one.id)) && one.at >= StartDate && one.at <= EndDate
      return page(changes.map((one, place) => (isMeant(one) ? adjustment(one, place) : '')).filter(Boolean), '100')
    }
    if (path !== '/selections/apply-delta' || method !== 'POST') return undefined
    const fate = loses[++sets]
    if (fate === 'request') return {raw: '', after: 'reset'}
    const rows = (json?.body ?? []) as {selectionId: string; delta: string}[]
    for (const {selectionId, delta} of rows) change(selectionId, Number(delta), '7')
    if (fate === 'answer') return {raw: '', after: 'reset'}
    return {headers: date(), body: `[${rows.map(({selectionId}) => selection(selectionId)).join(',')}]`}
  }

  const foreign = await startForeign({answer})
  return {...foreign, counts, sold: (id) => change(id, -1, '0')}
}
