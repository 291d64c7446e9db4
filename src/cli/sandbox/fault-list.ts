import {CliFailure} from '../../core/errors.js'
import type {JsonRecord} from '../../values/json.js'
import {simpleTable} from '../terminal/simple-table.js'

type Fault = {fault: string; seen: number; fired: number}

/** For people, and for machines. */
export type FaultList = {data: JsonRecord[]; text: string}

/** The faults that are set, with how often each was possible and how often it fired. */
export async function presentFaults({status, body}: {status: number; body: unknown}): Promise<FaultList> {
  if (status >= 400) throw refusedFault(body)
  const {faults} = body as {faults: Fault[]}
  const rows = faults.map(({fault, seen, fired}) => [fault, String(seen), String(fired)])
  const text = rows.length > 0 ? await simpleTable(['fault', 'seen', 'fired'], rows) : 'No faults are set.\n'
  return {data: faults.map((fault) => ({...fault})), text}
}

function refusedFault(body: unknown): CliFailure {
  const {message = 'The sandbox refused the fault.', hints} = (body ?? {}) as {message?: string; hints?: string[]}
  return new CliFailure(message, {code: 'FAULT', ...(hints && {hints})})
}
