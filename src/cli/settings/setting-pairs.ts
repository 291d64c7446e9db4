import {CliFailure} from '../../core/errors.js'
import {toBaseUrl} from '../../http/address.js'
import {toPostgresAddress} from '../../values/database-address.js'
import {refusePassword} from './database-password.js'
import type {Profile} from './profiles.js'
import {checkSetting, localBudget, settingKeys} from './setting-keys.js'

/**
 * The changes that `KEY=VALUE` arguments ask for. Throws `usage` on anything else, and `unsafe` for a base URL that no
 * request would be sent to.
 */
export function toChanges(pairs: readonly string[]): Profile {
  const changes: Record<string, string> = {}
  for (const pair of pairs) {
    const sign = pair.indexOf('=')
    if (sign < 1) throw notPair(pair)
    const key = pair.slice(0, sign)
    const value = pair.slice(sign + 1)
    checkSetting(key, value)
    if (key === 'baseUrl' && value !== '') toBaseUrl(value) // a password in it would be stored in the profile
    if (key === 'budget' && value !== '' && value !== localBudget)
      refusePassword(toPostgresAddress(value), key, settingKeys.budget.environment)
    changes[key] = value
  }

  return changes
}

function notPair(pair: string): CliFailure {
  return new CliFailure(`Not a KEY=VALUE pair: "${pair}".`, {
    code: 'SETTING_PAIR',
    exit: 'usage',
    hints: ['For example: vendorctl profiles set production baseUrl=https://api.example.com'],
  })
}
