import {onTestFinished} from 'vitest'
import {systemClock} from '../../src/core/clock.js'
import {createSharedMarks, type SharedMarks} from '../../src/reports/register/shared-marks.js'
import {openSharedStore} from '../../src/shared/shared-store.js'
import {toPostgresAddress} from '../../src/values/database-address.js'
import {sharedPostgres} from './postgres.js'

/** A database of its own. */
export async function marksDatabase(): Promise<string> {
  return (await sharedPostgres()).database()
}

/** What a process of a machine uses; `url` may lead through a proxy. */
export function marksOf(url: string, host: string, pid = 1): SharedMarks {
  const shared = createSharedMarks({
    open: () => openSharedStore(toPostgresAddress(url), {name: `vendorctl ${host}`}),
    ...{key: 'ab12cd34-1', machine: {id: `${host}/${host}`, host}, clock: systemClock},
    process: {pid, command: 'vendorctl reports transactions'},
  })
  onTestFinished(() => shared.close())
  return shared
}
