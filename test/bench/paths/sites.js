import {closeSync, openSync, writeSync} from 'node:fs'
import {join} from 'node:path'

const siteHeader = 'accountId,orgId,name,isActive,maxChargePrice,maximumMeterSalesJumpAllowed,commissionTerms'

/** A file of sites to create, each with a name of its own; returns its path. */
export function writeSites(folder, count, name = 'Site') {
  const path = join(folder, `${name}-${count}.csv`)
  const file = openSync(path, 'w')
  writeSync(file, `${siteHeader}\n`)
  let text = ''
  for (let row = 0; row < count; row++) {
    text += `201,101,${name} number ${row},true,${100 + (row % 900)},1000,Net30\n`
    if (row % 10_000 === 9_999 || row === count - 1) {
      writeSync(file, text)
      text = ''
    }
  }
  closeSync(file)
  return path
}
