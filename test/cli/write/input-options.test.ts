import {expect, test} from 'vitest'
import {offerRecipe, rowFlags} from '../../../src/cli/write/input-flags.js'
import {toInputOptions} from '../../../src/cli/write/input-options.js'
import {checkFile} from '../../../src/runs/check/check-file.js'
import {useInputFiles} from '../../support/input-files.js'

const files = useInputFiles()

test.each([
  ['sites.csv', 'id;name\n7;A\n', {verbose: true}, ': detected the delimiter ";"'],
  ['sites.csv', 'id;name\n7;A\n', {verbose: true, delimiter: ';'}, ''],
  ['sites.csv', 'id;name\n7;A\n', {}, ''],
  ['sites.tsv', 'id\tname\n7\tA\n', {verbose: true}, ''],
])('%s: %j with %j says its delimiter where it was detected and -v is given', async (name, text, flags, said) => {
  const file = await files.write(name, text)
  const options = await toInputOptions('sites.update', flags)

  const {remarks} = await checkFile('sites.update', {...options, file})

  expect(remarks).toEqual(said === '' ? [] : [`${file}${said}`])
})

test('rows are sent again with all that decides what becomes of them', () => {
  const decided = {replace: true, 'allow-similar': true, 'no-create': true, 'no-update': true}

  expect(rowFlags({file: 'a.csv', ...decided})).toEqual(decided)
  expect(rowFlags({file: 'a.csv', 'allow-similar': false})).toEqual({})
})

test('flags worth keeping are offered as a recipe with all that decides what becomes of rows', () => {
  const flags = {match: ['name'], empty: 'null', sheet: 'Prices', 'no-create': true, 'allow-similar': true}

  expect(offerRecipe(flags, {commandName: 'sites apply', environment: {}})).toBe(
    '→ Keep these flags under a name: vendorctl import save NAME -- ' +
      'sites apply --match name --sheet Prices --empty null --allow-similar --no-create',
  )
})
