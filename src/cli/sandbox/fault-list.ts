import type {JsonRecord} from '../../values/json.js'
import {simpleTable} from '../terminal/simple-table.js'

type Fault = {fault: string; seen: number; fired: number}

/** For people, and for machines. */
export type FaultList = {data: JsonRecord[]; text: string}

/** The faults that are set, with how often each was possible and how often it fired. */
export async function presentFaults(body: unknown): Promise<FaultList> {
  const {faults} = body as {faults: Fault[]}
  const rows = faults.map(({fault, seen, fired}) => [fault, String(seen), String(fired)])
  const text = rows.length > 0 ? await simpleTable(['fault', 'seen', 'fired'], rows) : 'No faults are set.\n'
  return {data: faults.map((fault) => ({...fault})), text}
}
