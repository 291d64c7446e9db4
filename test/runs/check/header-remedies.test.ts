import {expect, test} from 'vitest'
import type {WriteId} from '../../../src/contract/index.js'
import {checkFile} from '../../../src/runs/check/check-file.js'
import {useInputFiles} from '../../support/input-files.js'

const files = useInputFiles()

const remediesOf = async (operation: WriteId, header: string) => {
  const file = await files.write('in.csv', `${header}\n`)
  const {problems} = await checkFile(operation, {file})
  return problems.flatMap(({remedy}) => remedy ?? [])
}

test.each([
  ['sites.update', 'id;Höchstpreis', ["--map 'Höchstpreis=maxChargePrice'"]],
  [
    'sites.update',
    'Standort;maxChargePrise',
    ['--map Standort=name', '--map maxChargePrise=maxChargePrice', '--match name'],
  ],
  ['sites.update', 'name;accountId;maxChargePrice', ['--match accountId,name']],
  ['sites.update', 'id;Preis;Prix;Höchstpreis', ['--map Preis=maxChargePrice']],
  ['sites.update', 'id;maxChargePrice;Preis', []],
  ['sites.update', 'maxChargePrice', []],
  [
    'selections.update',
    'Automat;Fach;Preis',
    ['--map Automat=machineId', '--map Fach=selectionNumber', '--map Preis=price', '--match machineId,selectionNumber'],
  ],
  ['machines.update', 'PROSE;name', ['--match prose']],
  ['alerts.create', 'prose;code;message', ['--lookup machineId=prose']],
  ['selections.adjust', 'selectionId;machineId;selectionNumber', []],
  ['sites.create', 'id;constructor;toString', []],
] as const)('%s of %s', async (operation, header, remedies) => {
  expect(await remediesOf(operation, header)).toEqual(remedies)
})
