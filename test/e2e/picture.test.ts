import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {test} from 'vitest'
import {createDocumentFolder} from '../support/document-folder.js'
import {expectGolden} from '../support/golden.js'
import {drawTerminal} from '../support/terminal-picture.js'

const commands = [
  'vendorctl sites update -f prices.csv --dry-run',
  'vendorctl sites update -f prices.csv --yes    # the network breaks before the answer',
  'vendorctl runs reconcile latest',
]
const environment = {VENDORCTL_PROFILE: 'sandbox', FORCE_COLOR: '1', VENDORCTL_SETTLE: '0'}
/** Runs are named by the time. */
const runId = /\d{8}-\d{6}-[0-9a-f]{5}/g

test('the picture of the README shows what the program prints', () => {
  const folder = createDocumentFolder('')
  writeFileSync(join(folder.path, 'prices.csv'), 'id,maxChargePrice\n1014,810\n1026,750\n')
  folder.run('vendorctl sandbox start --port 0 --detach --no-limits')
  folder.run("vendorctl sandbox faults set 'reset-after-commit@sites.update#1'")

  const shown = commands.map((command) => ({
    command,
    output: folder.run(`exec 2>&1\n${command}`, environment).stdout.replaceAll(runId, '20240730-180705-3f9c2'),
  }))
  folder.close()

  expectGolden(
    '../../.github/terminal.svg',
    drawTerminal('A write whose answer got lost, and what became of it', shown),
  )
})
