CREATE TABLE IF NOT EXISTS vendorctl_mirror (
  name text NOT NULL,
  value text,
  PRIMARY KEY (name)
);

COMMENT ON TABLE vendorctl_mirror IS 'What vendorctl knows of this mirror. Do not change it.';

COMMENT ON COLUMN vendorctl_mirror.name IS 'What is known, such as schema: the version of these tables.';

COMMENT ON COLUMN vendorctl_mirror.value IS 'Its value.';

CREATE TABLE IF NOT EXISTS time_zones (
  name text NOT NULL,
  iana text,
  PRIMARY KEY (name)
);

COMMENT ON TABLE time_zones IS 'The time zones that sites and organizations name.';

COMMENT ON COLUMN time_zones.name IS 'Time zone as records name it, such as Pacific Standard Time.';

COMMENT ON COLUMN time_zones.iana IS 'The same zone as databases name it, such as America/Los_Angeles; null for an unknown one.';

CREATE TABLE IF NOT EXISTS organizations (
  id bigint NOT NULL,
  name text,
  time_zone text,
  is_enabled boolean,
  extra json,
  deleted_at timestamp with time zone,
  PRIMARY KEY (id)
);

COMMENT ON TABLE organizations IS 'What vendorctl organizations list returns, one row for each record.';

COMMENT ON COLUMN organizations.id IS 'Identifies the organization. Field id.';

COMMENT ON COLUMN organizations.name IS 'Name of the organization. Field name.';

COMMENT ON COLUMN organizations.time_zone IS 'Default time zone, as a Windows or IANA name. Field timeZone.';

COMMENT ON COLUMN organizations.is_enabled IS 'Whether the organization is in use. Field isEnabled.';

COMMENT ON COLUMN organizations.extra IS 'Fields without a column and values that do not fit their column, as a JSON object.';

COMMENT ON COLUMN organizations.deleted_at IS 'When the service was found not to return the row any more. UTC.';

CREATE TABLE IF NOT EXISTS accounts (
  id bigint NOT NULL,
  organization_id bigint,
  name text,
  external_id text,
  is_enabled boolean,
  extra json,
  deleted_at timestamp with time zone,
  PRIMARY KEY (id)
);

COMMENT ON TABLE accounts IS 'What vendorctl accounts list returns, one row for each record.';

COMMENT ON COLUMN accounts.id IS 'Identifies the account. Field id.';

COMMENT ON COLUMN accounts.organization_id IS 'Organization the account belongs to. An id of organizations, where a row may be missing. Field organizationId.';

COMMENT ON COLUMN accounts.name IS 'Name of the account. Field name.';

COMMENT ON COLUMN accounts.external_id IS 'Id of the account in your own books. Field externalId.';

COMMENT ON COLUMN accounts.is_enabled IS 'Whether the account is in use. Field isEnabled.';

COMMENT ON COLUMN accounts.extra IS 'Fields without a column and values that do not fit their column, as a JSON object.';

COMMENT ON COLUMN accounts.deleted_at IS 'When the service was found not to return the row any more. UTC.';

CREATE TABLE IF NOT EXISTS sites (
  id bigint NOT NULL,
  account_id bigint,
  org_id bigint,
  name text,
  contact_first_name text,
  contact_last_name text,
  contact_telephone_number text,
  contact_email_address text,
  commission_percentage bigint,
  is_active boolean,
  time_zone text,
  is_enabled boolean,
  max_charge_price bigint,
  billing_address text,
  shipping_address text,
  maximum_meter_sales_jump_allowed bigint,
  commission_terms text,
  external_account_terminal_id text,
  charge_key_id bigint,
  extra json,
  deleted_at timestamp with time zone,
  PRIMARY KEY (id)
);

COMMENT ON TABLE sites IS 'What vendorctl sites list returns, one row for each record.';

COMMENT ON COLUMN sites.id IS 'Identifies the site. Field id.';

COMMENT ON COLUMN sites.account_id IS 'Account the site belongs to. An id of accounts, where a row may be missing. Field accountId.';

COMMENT ON COLUMN sites.org_id IS 'Organization the site belongs to. An id of organizations, where a row may be missing. Field orgId.';

COMMENT ON COLUMN sites.name IS 'Name, unique in its account. Field name.';

COMMENT ON COLUMN sites.contact_first_name IS 'Whom to call about the site: First name of the contact. Field contact.firstName.';

COMMENT ON COLUMN sites.contact_last_name IS 'Whom to call about the site: Last name of the contact. Field contact.lastName.';

COMMENT ON COLUMN sites.contact_telephone_number IS 'Whom to call about the site: Telephone number of the contact. Field contact.telephoneNumber.';

COMMENT ON COLUMN sites.contact_email_address IS 'Whom to call about the site: E-mail address of the contact. Field contact.emailAddress.';

COMMENT ON COLUMN sites.commission_percentage IS 'Commission in percent. Field commissionPercentage.';

COMMENT ON COLUMN sites.is_active IS 'Whether the site is active. Field isActive.';

COMMENT ON COLUMN sites.time_zone IS 'Time zone, as a Windows name such as Pacific Standard Time, or an IANA name. Field timeZone.';

COMMENT ON COLUMN sites.is_enabled IS 'Whether the site is in use; set by the service. Field isEnabled.';

COMMENT ON COLUMN sites.max_charge_price IS 'Highest price of one charge. Field maxChargePrice.';

COMMENT ON COLUMN sites.billing_address IS 'Billing address. Field billingAddress.';

COMMENT ON COLUMN sites.shipping_address IS 'Shipping address. Field shippingAddress.';

COMMENT ON COLUMN sites.maximum_meter_sales_jump_allowed IS 'Largest jump of the sales meter that is believed. Field maximumMeterSalesJumpAllowed.';

COMMENT ON COLUMN sites.commission_terms IS 'When commission is due. Field commissionTerms.';

COMMENT ON COLUMN sites.external_account_terminal_id IS 'Terminal id in an external account. Field externalAccountTerminalId.';

COMMENT ON COLUMN sites.charge_key_id IS 'Charge key of the organization; a global one is refused. Field chargeKeyId.';

COMMENT ON COLUMN sites.extra IS 'Fields without a column and values that do not fit their column, as a JSON object.';

COMMENT ON COLUMN sites.deleted_at IS 'When the service was found not to return the row any more. UTC.';

CREATE TABLE IF NOT EXISTS machines (
  id bigint NOT NULL,
  asset_id bigint,
  organization_id bigint,
  site_id bigint,
  type_id bigint,
  machine_master_id bigint,
  controller_firmware_current text,
  controller_firmware_pending_update text,
  pc_firmware_current text,
  pc_firmware_pending_update text,
  force_update boolean,
  prose text,
  name text,
  model_number text,
  tax_percentage numeric,
  commission_percentage numeric,
  has_planogram_change boolean,
  call_in_code text,
  enable_account_sales boolean,
  enable_cash_sales boolean,
  enable_credit_sales boolean,
  mode text,
  is_visible boolean,
  created_at timestamp with time zone,
  provisioned_at timestamp with time zone,
  last_heart_beat_server timestamp with time zone,
  last_heart_beat_local timestamp without time zone,
  last_cash_sale_server timestamp with time zone,
  last_cash_sale_local timestamp without time zone,
  last_credit_sale_server timestamp with time zone,
  last_credit_sale_local timestamp without time zone,
  last_account_sale_server timestamp with time zone,
  last_account_sale_local timestamp without time zone,
  latest_restock_to_picklist_server timestamp with time zone,
  latest_restock_to_picklist_local timestamp without time zone,
  credit_processing_fee numeric,
  bluetooth_id text,
  external_accounts_terminal_id text,
  can_rollback_firmware boolean,
  ignore_door_state boolean,
  enable_slot_count_tracking boolean,
  use_internet_pricing boolean,
  hardware_settings_changed boolean,
  use_plangram_price boolean,
  use_machine_tax_rate boolean,
  use_machine_commission_rate boolean,
  offer_sms_receipts bigint,
  extra json,
  deleted_at timestamp with time zone,
  PRIMARY KEY (id)
);

COMMENT ON TABLE machines IS 'What vendorctl machines list returns, one row for each record.';

COMMENT ON COLUMN machines.id IS 'Identifies the machine. Field id.';

COMMENT ON COLUMN machines.asset_id IS 'Asset the machine is booked as. Field assetId.';

COMMENT ON COLUMN machines.organization_id IS 'Organization the machine belongs to. An id of organizations, where a row may be missing. Field organizationId.';

COMMENT ON COLUMN machines.site_id IS 'Site the machine stands at; another one moves it. An id of sites, where a row may be missing. Field siteId.';

COMMENT ON COLUMN machines.type_id IS 'Type of machine. Field typeId.';

COMMENT ON COLUMN machines.machine_master_id IS 'Model template of the machine. Field machineMasterId.';

COMMENT ON COLUMN machines.controller_firmware_current IS 'Firmware of the controller: Version that runs. Field controllerFirmware.current.';

COMMENT ON COLUMN machines.controller_firmware_pending_update IS 'Firmware of the controller: Version that waits to be installed. Field controllerFirmware.pendingUpdate.';

COMMENT ON COLUMN machines.pc_firmware_current IS 'Firmware of the PC: Version that runs. Field pcFirmware.current.';

COMMENT ON COLUMN machines.pc_firmware_pending_update IS 'Firmware of the PC: Version that waits to be installed. Field pcFirmware.pendingUpdate.';

COMMENT ON COLUMN machines.force_update IS 'Whether an update is forced. Field forceUpdate.';

COMMENT ON COLUMN machines.prose IS 'PROSE serial of the machine. Field prose.';

COMMENT ON COLUMN machines.name IS 'Name of the machine. Field name.';

COMMENT ON COLUMN machines.model_number IS 'Model number. Field modelNumber.';

COMMENT ON COLUMN machines.tax_percentage IS 'Tax in percent. Field taxPercentage.';

COMMENT ON COLUMN machines.commission_percentage IS 'Commission in percent. Field commissionPercentage.';

COMMENT ON COLUMN machines.has_planogram_change IS 'Whether a planogram change waits. Field hasPlanogramChange.';

COMMENT ON COLUMN machines.call_in_code IS 'Code the machine calls in with. Field callInCode.';

COMMENT ON COLUMN machines.enable_account_sales IS 'Whether account sales are on. Field enableAccountSales.';

COMMENT ON COLUMN machines.enable_cash_sales IS 'Whether cash sales are on. Field enableCashSales.';

COMMENT ON COLUMN machines.enable_credit_sales IS 'Whether credit sales are on. Field enableCreditSales.';

COMMENT ON COLUMN machines.mode IS 'Mode the machine runs in. Field mode.';

COMMENT ON COLUMN machines.is_visible IS 'Whether the machine is shown. Field isVisible.';

COMMENT ON COLUMN machines.created_at IS 'When the machine was created. UTC. Field createdAt.';

COMMENT ON COLUMN machines.provisioned_at IS 'When the machine was provisioned. UTC. Field provisionedAt.';

COMMENT ON COLUMN machines.last_heart_beat_server IS 'Last sign of life: In server time. UTC. Field lastHeartBeat.server.';

COMMENT ON COLUMN machines.last_heart_beat_local IS 'Last sign of life: In the local time of the machine. The time zone is that of the machine''s site, else of its organization. Field lastHeartBeat.local.';

COMMENT ON COLUMN machines.last_cash_sale_server IS 'Last cash sale: In server time. UTC. Field lastCashSale.server.';

COMMENT ON COLUMN machines.last_cash_sale_local IS 'Last cash sale: In the local time of the machine. The time zone is that of the machine''s site, else of its organization. Field lastCashSale.local.';

COMMENT ON COLUMN machines.last_credit_sale_server IS 'Last credit sale: In server time. UTC. Field lastCreditSale.server.';

COMMENT ON COLUMN machines.last_credit_sale_local IS 'Last credit sale: In the local time of the machine. The time zone is that of the machine''s site, else of its organization. Field lastCreditSale.local.';

COMMENT ON COLUMN machines.last_account_sale_server IS 'Last account sale: In server time. UTC. Field lastAccountSale.server.';

COMMENT ON COLUMN machines.last_account_sale_local IS 'Last account sale: In the local time of the machine. The time zone is that of the machine''s site, else of its organization. Field lastAccountSale.local.';

COMMENT ON COLUMN machines.latest_restock_to_picklist_server IS 'Latest restock to picklist: In server time. UTC. Field latestRestockToPicklist.server.';

COMMENT ON COLUMN machines.latest_restock_to_picklist_local IS 'Latest restock to picklist: In the local time of the machine. The time zone is that of the machine''s site, else of its organization. Field latestRestockToPicklist.local.';

COMMENT ON COLUMN machines.credit_processing_fee IS 'Fee for a card payment. Field creditProcessingFee.';

COMMENT ON COLUMN machines.bluetooth_id IS 'Bluetooth id of the machine. Field bluetoothId.';

COMMENT ON COLUMN machines.external_accounts_terminal_id IS 'Terminal id in an external accounts system. Field externalAccountsTerminalId.';

COMMENT ON COLUMN machines.can_rollback_firmware IS 'Whether firmware may be rolled back. Field canRollbackFirmware.';

COMMENT ON COLUMN machines.ignore_door_state IS 'Whether the state of the door is ignored. Field ignoreDoorState.';

COMMENT ON COLUMN machines.enable_slot_count_tracking IS 'Whether the count of each slot is tracked. Field enableSlotCountTracking.';

COMMENT ON COLUMN machines.use_internet_pricing IS 'Whether prices come from the service. Field useInternetPricing.';

COMMENT ON COLUMN machines.hardware_settings_changed IS 'Whether hardware settings changed. Field hardwareSettingsChanged.';

COMMENT ON COLUMN machines.use_plangram_price IS 'Whether prices come from the planogram. Field usePlangramPrice.';

COMMENT ON COLUMN machines.use_machine_tax_rate IS 'Whether the tax rate of the machine applies. Field useMachineTaxRate.';

COMMENT ON COLUMN machines.use_machine_commission_rate IS 'Whether the commission rate of the machine applies. Field useMachineCommissionRate.';

COMMENT ON COLUMN machines.offer_sms_receipts IS 'Whether and how receipts are offered by text message. Field offerSmsReceipts.';

COMMENT ON COLUMN machines.extra IS 'Fields without a column and values that do not fit their column, as a JSON object.';

COMMENT ON COLUMN machines.deleted_at IS 'When the service was found not to return the row any more. UTC.';

CREATE TABLE IF NOT EXISTS machine_settings (
  id bigint NOT NULL,
  machine_id bigint,
  type text,
  settings text,
  is_active boolean,
  is_current boolean,
  extra json,
  deleted_at timestamp with time zone,
  PRIMARY KEY (id)
);

COMMENT ON TABLE machine_settings IS 'What vendorctl machines settings list returns, one row for each record.';

COMMENT ON COLUMN machine_settings.id IS 'Identifies the record; it changes with each update. Field id.';

COMMENT ON COLUMN machine_settings.machine_id IS 'Machine it belongs to. An id of machines, where a row may be missing. Field machineId.';

COMMENT ON COLUMN machine_settings.type IS 'Kind of settings. Field type.';

COMMENT ON COLUMN machine_settings.settings IS 'The settings, as opaque text. Field settings.';

COMMENT ON COLUMN machine_settings.is_active IS 'Whether the settings are in force. Field isActive.';

COMMENT ON COLUMN machine_settings.is_current IS 'False once the record is retired. Field isCurrent.';

COMMENT ON COLUMN machine_settings.extra IS 'Fields without a column and values that do not fit their column, as a JSON object.';

COMMENT ON COLUMN machine_settings.deleted_at IS 'When the service was found not to return the row any more. UTC.';

CREATE TABLE IF NOT EXISTS alerts (
  id bigint NOT NULL,
  organization_id bigint,
  account_id bigint,
  site_id bigint,
  machine_id bigint,
  machine_location text,
  machine_prose text,
  alert_code_id bigint,
  code text,
  message text,
  is_cleared boolean,
  raised_at timestamp without time zone,
  cleared_at timestamp without time zone,
  raised_at_server_time timestamp with time zone,
  cleared_at_server_time timestamp with time zone,
  alert_metadata_key text,
  alert_metadata_value text,
  extra json,
  deleted_at timestamp with time zone,
  PRIMARY KEY (id)
);

COMMENT ON TABLE alerts IS 'What vendorctl alerts list returns, one row for each record.';

COMMENT ON COLUMN alerts.id IS 'Identifies the alert. Field id.';

COMMENT ON COLUMN alerts.organization_id IS 'Organization; filled from the machine. An id of organizations, where a row may be missing. Field organizationId.';

COMMENT ON COLUMN alerts.account_id IS 'Account; filled from the machine. An id of accounts, where a row may be missing. Field accountId.';

COMMENT ON COLUMN alerts.site_id IS 'Site; filled from the machine. An id of sites, where a row may be missing. Field siteId.';

COMMENT ON COLUMN alerts.machine_id IS 'Machine the alert is about. An id of machines, where a row may be missing. Field machineId.';

COMMENT ON COLUMN alerts.machine_location IS 'Where the machine stands. Field machineLocation.';

COMMENT ON COLUMN alerts.machine_prose IS 'PROSE serial of the machine. Field machineProse.';

COMMENT ON COLUMN alerts.alert_code_id IS 'Id of the alert code. An id of alert_codes, where a row may be missing. Field alertCodeId.';

COMMENT ON COLUMN alerts.code IS 'Alert code, such as NS for no sales. Field code.';

COMMENT ON COLUMN alerts.message IS 'What is wrong. Field message.';

COMMENT ON COLUMN alerts.is_cleared IS 'Whether the alert is cleared; it is never uncleared. Field isCleared.';

COMMENT ON COLUMN alerts.raised_at IS 'When it was raised; sent as UTC, kept as machine time. The time zone is that of the machine''s site, else of its organization. Field raisedAt.';

COMMENT ON COLUMN alerts.cleared_at IS 'When it was cleared; sent as UTC, kept as machine time. The time zone is that of the machine''s site, else of its organization. Field clearedAt.';

COMMENT ON COLUMN alerts.raised_at_server_time IS 'When it was raised, in server time. UTC. Field raisedAtServerTime.';

COMMENT ON COLUMN alerts.cleared_at_server_time IS 'When it was cleared, in server time. UTC. Field clearedAtServerTime.';

COMMENT ON COLUMN alerts.alert_metadata_key IS 'One further fact about the alert: Name of the fact. Field alertMetadata.key.';

COMMENT ON COLUMN alerts.alert_metadata_value IS 'One further fact about the alert: The fact. Field alertMetadata.value.';

COMMENT ON COLUMN alerts.extra IS 'Fields without a column and values that do not fit their column, as a JSON object.';

COMMENT ON COLUMN alerts.deleted_at IS 'When the service was found not to return the row any more. UTC.';

CREATE TABLE IF NOT EXISTS alert_codes (
  id bigint NOT NULL,
  code text,
  description text,
  only_one_exists boolean,
  ui_clear_only boolean,
  extra json,
  deleted_at timestamp with time zone,
  PRIMARY KEY (id)
);

COMMENT ON TABLE alert_codes IS 'What vendorctl alerts codes returns, one row for each record.';

COMMENT ON COLUMN alert_codes.id IS 'Identifies the alert code. Field id.';

COMMENT ON COLUMN alert_codes.code IS 'The code, as alerts carry it. Field code.';

COMMENT ON COLUMN alert_codes.description IS 'What the code means. Field description.';

COMMENT ON COLUMN alert_codes.only_one_exists IS 'Only one open alert of this code may exist on a machine. Field onlyOneExists.';

COMMENT ON COLUMN alert_codes.ui_clear_only IS 'People clear it in the user interface; the API may clear it too. Field uiClearOnly.';

COMMENT ON COLUMN alert_codes.extra IS 'Fields without a column and values that do not fit their column, as a JSON object.';

COMMENT ON COLUMN alert_codes.deleted_at IS 'When the service was found not to return the row any more. UTC.';

CREATE TABLE IF NOT EXISTS transactions (
  id text NOT NULL,
  recorded_at_utc timestamp with time zone,
  site_id bigint,
  site_external_id text,
  site_name text,
  machine_id bigint,
  machine_external_id text,
  machine_name text,
  machine_model text,
  total_price numeric,
  total_tax numeric,
  payment_information_type text,
  payment_information_credit_information_gateway text,
  payment_information_credit_information_invoice_number bigint,
  payment_information_credit_information_card_token text,
  payment_information_credit_information_authorization_number text,
  payment_information_credit_information_reference_number1 text,
  payment_information_credit_information_reference_number2 text,
  payment_information_credit_information_payment_status text,
  payment_information_account_information_account_number text,
  payment_information_account_information_name_on_account text,
  extra json,
  deleted_at timestamp with time zone,
  PRIMARY KEY (id)
);

COMMENT ON TABLE transactions IS 'What vendorctl reports transactions returns, one row for each record.';

COMMENT ON COLUMN transactions.id IS 'Identifies the batch, such as B1467. Field id.';

COMMENT ON COLUMN transactions.recorded_at_utc IS 'When the service recorded the batch, UTC. Field recordedAtUtc.';

COMMENT ON COLUMN transactions.site_id IS 'Site of the machine. An id of sites, where a row may be missing. Field siteId.';

COMMENT ON COLUMN transactions.site_external_id IS 'Id of the site in your own books. Field siteExternalId.';

COMMENT ON COLUMN transactions.site_name IS 'Name of the site. Field siteName.';

COMMENT ON COLUMN transactions.machine_id IS 'Machine that sold. An id of machines, where a row may be missing. Field machineId.';

COMMENT ON COLUMN transactions.machine_external_id IS 'Id of the machine in your own books. Field machineExternalId.';

COMMENT ON COLUMN transactions.machine_name IS 'Name of the machine. Field machineName.';

COMMENT ON COLUMN transactions.machine_model IS 'Model of the machine. Field machineModel.';

COMMENT ON COLUMN transactions.total_price IS 'Price of all line items. Field totalPrice.';

COMMENT ON COLUMN transactions.total_tax IS 'Tax of all line items. Field totalTax.';

COMMENT ON COLUMN transactions.payment_information_type IS 'How it was paid: Kind of payment, padded with spaces, such as "A ". Field paymentInformation.type.';

COMMENT ON COLUMN transactions.payment_information_credit_information_gateway IS 'How it was paid: Of a card payment: Card gateway. Field paymentInformation.creditInformation.gateway.';

COMMENT ON COLUMN transactions.payment_information_credit_information_invoice_number IS 'How it was paid: Of a card payment: Invoice number. Field paymentInformation.creditInformation.invoiceNumber.';

COMMENT ON COLUMN transactions.payment_information_credit_information_card_token IS 'How it was paid: Of a card payment: Token that stands for the card. Field paymentInformation.creditInformation.cardToken.';

COMMENT ON COLUMN transactions.payment_information_credit_information_authorization_number IS 'How it was paid: Of a card payment: Authorization of the payment. Field paymentInformation.creditInformation.authorizationNumber.';

COMMENT ON COLUMN transactions.payment_information_credit_information_reference_number1 IS 'How it was paid: Of a card payment: First reference of the gateway. Field paymentInformation.creditInformation.referenceNumber1.';

COMMENT ON COLUMN transactions.payment_information_credit_information_reference_number2 IS 'How it was paid: Of a card payment: Second reference of the gateway. Field paymentInformation.creditInformation.referenceNumber2.';

COMMENT ON COLUMN transactions.payment_information_credit_information_payment_status IS 'How it was paid: Of a card payment: State of the payment. Field paymentInformation.creditInformation.paymentStatus.';

COMMENT ON COLUMN transactions.payment_information_account_information_account_number IS 'How it was paid: Of an account payment: Number of the paying account. Field paymentInformation.accountInformation.accountNumber.';

COMMENT ON COLUMN transactions.payment_information_account_information_name_on_account IS 'How it was paid: Of an account payment: Name on the paying account. Field paymentInformation.accountInformation.nameOnAccount.';

COMMENT ON COLUMN transactions.extra IS 'Fields without a column and values that do not fit their column, as a JSON object.';

COMMENT ON COLUMN transactions.deleted_at IS 'When the service was found not to return the row any more. UTC.';

CREATE TABLE IF NOT EXISTS transaction_lines (
  transaction_id text NOT NULL,
  position bigint NOT NULL,
  id bigint,
  selection text,
  vend_order bigint,
  product_id bigint,
  product_name text,
  product_upc text,
  size text,
  tax_rate numeric,
  tax_charged numeric,
  commission numeric,
  quantity bigint,
  unit_price numeric,
  total_price numeric,
  vend_was_successful boolean,
  recorded_at_utc timestamp with time zone,
  occurred_at_utc timestamp with time zone,
  occurred_at_local_time timestamp without time zone,
  extra json,
  deleted_at timestamp with time zone,
  PRIMARY KEY (transaction_id, position)
);

COMMENT ON TABLE transaction_lines IS 'What was sold. One row for each element of lineItems.';

COMMENT ON COLUMN transaction_lines.transaction_id IS 'Record of transactions that it is in. An id of transactions, where a row may be missing. Field id.';

COMMENT ON COLUMN transaction_lines.position IS 'Place in lineItems, from 1.';

COMMENT ON COLUMN transaction_lines.id IS 'Identifies the line item. Field id of the line.';

COMMENT ON COLUMN transaction_lines.selection IS 'Selection of the machine. Field selection of the line.';

COMMENT ON COLUMN transaction_lines.vend_order IS 'Place in the order of vends. Field vendOrder of the line.';

COMMENT ON COLUMN transaction_lines.product_id IS 'Product sold. Field productId of the line.';

COMMENT ON COLUMN transaction_lines.product_name IS 'Name of the product. Field productName of the line.';

COMMENT ON COLUMN transaction_lines.product_upc IS 'Bar code of the product. Field productUpc of the line.';

COMMENT ON COLUMN transaction_lines.size IS 'Size of the product. Field size of the line.';

COMMENT ON COLUMN transaction_lines.tax_rate IS 'Tax rate. Field taxRate of the line.';

COMMENT ON COLUMN transaction_lines.tax_charged IS 'Tax charged. Field taxCharged of the line.';

COMMENT ON COLUMN transaction_lines.commission IS 'Commission. Field commission of the line.';

COMMENT ON COLUMN transaction_lines.quantity IS 'How many. Field quantity of the line.';

COMMENT ON COLUMN transaction_lines.unit_price IS 'Price of one. Field unitPrice of the line.';

COMMENT ON COLUMN transaction_lines.total_price IS 'Price of all. Field totalPrice of the line.';

COMMENT ON COLUMN transaction_lines.vend_was_successful IS 'Whether the product came out. Field vendWasSuccessful of the line.';

COMMENT ON COLUMN transaction_lines.recorded_at_utc IS 'When the service recorded it, UTC. Field recordedAtUtc of the line.';

COMMENT ON COLUMN transaction_lines.occurred_at_utc IS 'When it happened, UTC. Field occurredAtUtc of the line.';

COMMENT ON COLUMN transaction_lines.occurred_at_local_time IS 'When it happened, in the local time of the machine. The time zone is that of the machine''s site, else of its organization. Field occurredAtLocalTime of the line.';

COMMENT ON COLUMN transaction_lines.extra IS 'Fields without a column and values that do not fit their column, as a JSON object.';

COMMENT ON COLUMN transaction_lines.deleted_at IS 'When the service was found not to return the row any more. UTC.';

CREATE TABLE IF NOT EXISTS products (
  id bigint NOT NULL,
  name text,
  extra json,
  deleted_at timestamp with time zone,
  PRIMARY KEY (id)
);

COMMENT ON TABLE products IS 'What vendorctl products list returns, one row for each record.';

COMMENT ON COLUMN products.id IS 'Identifies the product. Field id.';

COMMENT ON COLUMN products.name IS 'Name of the product. Field name.';

COMMENT ON COLUMN products.extra IS 'Fields without a column and values that do not fit their column, as a JSON object.';

COMMENT ON COLUMN products.deleted_at IS 'When the service was found not to return the row any more. UTC.';

CREATE TABLE IF NOT EXISTS selections (
  id bigint NOT NULL,
  machine_id bigint,
  selection_number text,
  friendly_number text,
  product_id bigint,
  price numeric,
  invoice_price numeric,
  restock_to bigint,
  depth bigint,
  count bigint,
  is_active boolean,
  alert_level bigint,
  restock_at bigint,
  free_count bigint,
  tax numeric,
  commission numeric,
  extra json,
  deleted_at timestamp with time zone,
  PRIMARY KEY (id)
);

COMMENT ON TABLE selections IS 'What vendorctl selections list returns, one row for each record.';

COMMENT ON COLUMN selections.id IS 'Identifies the selection. Field id.';

COMMENT ON COLUMN selections.machine_id IS 'Machine it belongs to. An id of machines, where a row may be missing. Field machineId.';

COMMENT ON COLUMN selections.selection_number IS 'What a customer enters; unique in its machine. Field selectionNumber.';

COMMENT ON COLUMN selections.friendly_number IS 'The number as people write it. Field friendlyNumber.';

COMMENT ON COLUMN selections.product_id IS 'Product that is sold; -1 for none. An id of products, where a row may be missing. Field productId.';

COMMENT ON COLUMN selections.price IS 'Price of one. Field price.';

COMMENT ON COLUMN selections.invoice_price IS 'Price on invoices. Field invoicePrice.';

COMMENT ON COLUMN selections.restock_to IS 'Stock after a restock. Field restockTo.';

COMMENT ON COLUMN selections.depth IS 'How many fit in. Field depth.';

COMMENT ON COLUMN selections.count IS 'Stock; another count is written as an inventory adjustment. Field count.';

COMMENT ON COLUMN selections.is_active IS 'Whether the selection is in use; set by the service. Field isActive.';

COMMENT ON COLUMN selections.alert_level IS 'Stock at which an alert is raised. Field alertLevel.';

COMMENT ON COLUMN selections.restock_at IS 'Stock at which a restock is due. Field restockAt.';

COMMENT ON COLUMN selections.free_count IS 'How many are free. Field freeCount.';

COMMENT ON COLUMN selections.tax IS 'Tax in percent. Field tax.';

COMMENT ON COLUMN selections.commission IS 'Commission. Field commission.';

COMMENT ON COLUMN selections.extra IS 'Fields without a column and values that do not fit their column, as a JSON object.';

COMMENT ON COLUMN selections.deleted_at IS 'When the service was found not to return the row any more. UTC.';

CREATE TABLE IF NOT EXISTS templates (
  id bigint NOT NULL,
  name text,
  extra json,
  deleted_at timestamp with time zone,
  PRIMARY KEY (id)
);

COMMENT ON TABLE templates IS 'What vendorctl templates list returns, one row for each record.';

COMMENT ON COLUMN templates.id IS 'Identifies the template. Field id.';

COMMENT ON COLUMN templates.name IS 'Name of the template. Field name.';

COMMENT ON COLUMN templates.extra IS 'Fields without a column and values that do not fit their column, as a JSON object.';

COMMENT ON COLUMN templates.deleted_at IS 'When the service was found not to return the row any more. UTC.';

CREATE TABLE IF NOT EXISTS template_selections (
  id bigint NOT NULL,
  template_id bigint,
  variant_id bigint,
  selection_number text,
  product_id bigint,
  price numeric,
  invoice_price numeric,
  created_at timestamp with time zone,
  par bigint,
  depth bigint,
  commission numeric,
  tax numeric,
  custom_data1 text,
  custom_data2 text,
  custom_data3 text,
  custom_data4 text,
  custom_data5 text,
  extra json,
  deleted_at timestamp with time zone,
  PRIMARY KEY (id)
);

COMMENT ON TABLE template_selections IS 'What vendorctl templates selections returns, one row for each record.';

COMMENT ON COLUMN template_selections.id IS 'Identifies the selection of the template. Field id.';

COMMENT ON COLUMN template_selections.template_id IS 'Template it belongs to. An id of templates, where a row may be missing. Field templateId.';

COMMENT ON COLUMN template_selections.variant_id IS 'Variant of the template. Field variantId.';

COMMENT ON COLUMN template_selections.selection_number IS 'Selection number that it sets. Field selectionNumber.';

COMMENT ON COLUMN template_selections.product_id IS 'Product that it sets. An id of products, where a row may be missing. Field productId.';

COMMENT ON COLUMN template_selections.price IS 'Price that it sets. Field price.';

COMMENT ON COLUMN template_selections.invoice_price IS 'Price on invoices that it sets. Field invoicePrice.';

COMMENT ON COLUMN template_selections.created_at IS 'When it was created. UTC. Field createdAt.';

COMMENT ON COLUMN template_selections.par IS 'Stock after a restock that it sets. Field par.';

COMMENT ON COLUMN template_selections.depth IS 'How many fit in. Field depth.';

COMMENT ON COLUMN template_selections.commission IS 'Commission that it sets. Field commission.';

COMMENT ON COLUMN template_selections.tax IS 'Tax that it sets. Field tax.';

COMMENT ON COLUMN template_selections.custom_data1 IS 'First fact of your own. Field customData1.';

COMMENT ON COLUMN template_selections.custom_data2 IS 'Second fact of your own. Field customData2.';

COMMENT ON COLUMN template_selections.custom_data3 IS 'Third fact of your own. Field customData3.';

COMMENT ON COLUMN template_selections.custom_data4 IS 'Fourth fact of your own. Field customData4.';

COMMENT ON COLUMN template_selections.custom_data5 IS 'Fifth fact of your own. Field customData5.';

COMMENT ON COLUMN template_selections.extra IS 'Fields without a column and values that do not fit their column, as a JSON object.';

COMMENT ON COLUMN template_selections.deleted_at IS 'When the service was found not to return the row any more. UTC.';

CREATE TABLE IF NOT EXISTS roles (
  id bigint NOT NULL,
  organization_id bigint,
  name text,
  description text,
  extra json,
  deleted_at timestamp with time zone,
  PRIMARY KEY (id)
);

COMMENT ON TABLE roles IS 'What vendorctl roles list returns, one row for each record.';

COMMENT ON COLUMN roles.id IS 'Identifies the role. Field id.';

COMMENT ON COLUMN roles.organization_id IS 'Organization it belongs to. An id of organizations, where a row may be missing. Field organizationId.';

COMMENT ON COLUMN roles.name IS 'Name of the role. Field name.';

COMMENT ON COLUMN roles.description IS 'What it is for. Field description.';

COMMENT ON COLUMN roles.extra IS 'Fields without a column and values that do not fit their column, as a JSON object.';

COMMENT ON COLUMN roles.deleted_at IS 'When the service was found not to return the row any more. UTC.';

CREATE TABLE IF NOT EXISTS machine_rights (
  machine_id bigint NOT NULL,
  right_id bigint NOT NULL,
  extra json,
  deleted_at timestamp with time zone,
  PRIMARY KEY (machine_id, right_id)
);

COMMENT ON TABLE machine_rights IS 'What vendorctl roles rights returns, one row for each record.';

COMMENT ON COLUMN machine_rights.machine_id IS 'Machine that the right is for. An id of machines, where a row may be missing. Field machineId.';

COMMENT ON COLUMN machine_rights.right_id IS 'The right. Field rightId.';

COMMENT ON COLUMN machine_rights.extra IS 'Fields without a column and values that do not fit their column, as a JSON object.';

COMMENT ON COLUMN machine_rights.deleted_at IS 'When the service was found not to return the row any more. UTC.';

CREATE TABLE IF NOT EXISTS role_rights (
  id bigint NOT NULL,
  role_id bigint,
  right_id bigint,
  can_view boolean,
  can_edit boolean,
  can_execute boolean,
  extra json,
  deleted_at timestamp with time zone,
  PRIMARY KEY (id)
);

COMMENT ON TABLE role_rights IS 'What vendorctl role-rights list returns, one row for each record.';

COMMENT ON COLUMN role_rights.id IS 'Identifies the role right. Field id.';

COMMENT ON COLUMN role_rights.role_id IS 'Role that has it. An id of roles, where a row may be missing. Field roleId.';

COMMENT ON COLUMN role_rights.right_id IS 'The right. Field rightId.';

COMMENT ON COLUMN role_rights.can_view IS 'Whether the role may view. Field canView.';

COMMENT ON COLUMN role_rights.can_edit IS 'Whether the role may edit. Field canEdit.';

COMMENT ON COLUMN role_rights.can_execute IS 'Whether the role may execute. Field canExecute.';

COMMENT ON COLUMN role_rights.extra IS 'Fields without a column and values that do not fit their column, as a JSON object.';

COMMENT ON COLUMN role_rights.deleted_at IS 'When the service was found not to return the row any more. UTC.';

DO $$ BEGIN IF current_setting('server_version_num')::int >= 180000 THEN
  IF NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = 'accounts'::regclass AND conname = 'accounts_organization_id_fkey') THEN
    EXECUTE 'ALTER TABLE accounts ADD CONSTRAINT accounts_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations (id) NOT ENFORCED';
  END IF;
END IF; END $$;

DO $$ BEGIN IF current_setting('server_version_num')::int >= 180000 THEN
  IF NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = 'sites'::regclass AND conname = 'sites_account_id_fkey') THEN
    EXECUTE 'ALTER TABLE sites ADD CONSTRAINT sites_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (id) NOT ENFORCED';
  END IF;
  IF NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = 'sites'::regclass AND conname = 'sites_org_id_fkey') THEN
    EXECUTE 'ALTER TABLE sites ADD CONSTRAINT sites_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations (id) NOT ENFORCED';
  END IF;
END IF; END $$;

DO $$ BEGIN IF current_setting('server_version_num')::int >= 180000 THEN
  IF NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = 'machines'::regclass AND conname = 'machines_organization_id_fkey') THEN
    EXECUTE 'ALTER TABLE machines ADD CONSTRAINT machines_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations (id) NOT ENFORCED';
  END IF;
  IF NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = 'machines'::regclass AND conname = 'machines_site_id_fkey') THEN
    EXECUTE 'ALTER TABLE machines ADD CONSTRAINT machines_site_id_fkey FOREIGN KEY (site_id) REFERENCES sites (id) NOT ENFORCED';
  END IF;
END IF; END $$;

DO $$ BEGIN IF current_setting('server_version_num')::int >= 180000 THEN
  IF NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = 'machine_settings'::regclass AND conname = 'machine_settings_machine_id_fkey') THEN
    EXECUTE 'ALTER TABLE machine_settings ADD CONSTRAINT machine_settings_machine_id_fkey FOREIGN KEY (machine_id) REFERENCES machines (id) NOT ENFORCED';
  END IF;
END IF; END $$;

DO $$ BEGIN IF current_setting('server_version_num')::int >= 180000 THEN
  IF NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = 'alerts'::regclass AND conname = 'alerts_organization_id_fkey') THEN
    EXECUTE 'ALTER TABLE alerts ADD CONSTRAINT alerts_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations (id) NOT ENFORCED';
  END IF;
  IF NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = 'alerts'::regclass AND conname = 'alerts_account_id_fkey') THEN
    EXECUTE 'ALTER TABLE alerts ADD CONSTRAINT alerts_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (id) NOT ENFORCED';
  END IF;
  IF NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = 'alerts'::regclass AND conname = 'alerts_site_id_fkey') THEN
    EXECUTE 'ALTER TABLE alerts ADD CONSTRAINT alerts_site_id_fkey FOREIGN KEY (site_id) REFERENCES sites (id) NOT ENFORCED';
  END IF;
  IF NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = 'alerts'::regclass AND conname = 'alerts_machine_id_fkey') THEN
    EXECUTE 'ALTER TABLE alerts ADD CONSTRAINT alerts_machine_id_fkey FOREIGN KEY (machine_id) REFERENCES machines (id) NOT ENFORCED';
  END IF;
  IF NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = 'alerts'::regclass AND conname = 'alerts_alert_code_id_fkey') THEN
    EXECUTE 'ALTER TABLE alerts ADD CONSTRAINT alerts_alert_code_id_fkey FOREIGN KEY (alert_code_id) REFERENCES alert_codes (id) NOT ENFORCED';
  END IF;
END IF; END $$;

DO $$ BEGIN IF current_setting('server_version_num')::int >= 180000 THEN
  IF NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = 'transactions'::regclass AND conname = 'transactions_site_id_fkey') THEN
    EXECUTE 'ALTER TABLE transactions ADD CONSTRAINT transactions_site_id_fkey FOREIGN KEY (site_id) REFERENCES sites (id) NOT ENFORCED';
  END IF;
  IF NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = 'transactions'::regclass AND conname = 'transactions_machine_id_fkey') THEN
    EXECUTE 'ALTER TABLE transactions ADD CONSTRAINT transactions_machine_id_fkey FOREIGN KEY (machine_id) REFERENCES machines (id) NOT ENFORCED';
  END IF;
END IF; END $$;

DO $$ BEGIN IF current_setting('server_version_num')::int >= 180000 THEN
  IF NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = 'transaction_lines'::regclass AND conname = 'transaction_lines_transaction_id_fkey') THEN
    EXECUTE 'ALTER TABLE transaction_lines ADD CONSTRAINT transaction_lines_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES transactions (id) NOT ENFORCED';
  END IF;
END IF; END $$;

DO $$ BEGIN IF current_setting('server_version_num')::int >= 180000 THEN
  IF NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = 'selections'::regclass AND conname = 'selections_machine_id_fkey') THEN
    EXECUTE 'ALTER TABLE selections ADD CONSTRAINT selections_machine_id_fkey FOREIGN KEY (machine_id) REFERENCES machines (id) NOT ENFORCED';
  END IF;
  IF NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = 'selections'::regclass AND conname = 'selections_product_id_fkey') THEN
    EXECUTE 'ALTER TABLE selections ADD CONSTRAINT selections_product_id_fkey FOREIGN KEY (product_id) REFERENCES products (id) NOT ENFORCED';
  END IF;
END IF; END $$;

DO $$ BEGIN IF current_setting('server_version_num')::int >= 180000 THEN
  IF NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = 'template_selections'::regclass AND conname = 'template_selections_template_id_fkey') THEN
    EXECUTE 'ALTER TABLE template_selections ADD CONSTRAINT template_selections_template_id_fkey FOREIGN KEY (template_id) REFERENCES templates (id) NOT ENFORCED';
  END IF;
  IF NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = 'template_selections'::regclass AND conname = 'template_selections_product_id_fkey') THEN
    EXECUTE 'ALTER TABLE template_selections ADD CONSTRAINT template_selections_product_id_fkey FOREIGN KEY (product_id) REFERENCES products (id) NOT ENFORCED';
  END IF;
END IF; END $$;

DO $$ BEGIN IF current_setting('server_version_num')::int >= 180000 THEN
  IF NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = 'roles'::regclass AND conname = 'roles_organization_id_fkey') THEN
    EXECUTE 'ALTER TABLE roles ADD CONSTRAINT roles_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations (id) NOT ENFORCED';
  END IF;
END IF; END $$;

DO $$ BEGIN IF current_setting('server_version_num')::int >= 180000 THEN
  IF NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = 'machine_rights'::regclass AND conname = 'machine_rights_machine_id_fkey') THEN
    EXECUTE 'ALTER TABLE machine_rights ADD CONSTRAINT machine_rights_machine_id_fkey FOREIGN KEY (machine_id) REFERENCES machines (id) NOT ENFORCED';
  END IF;
END IF; END $$;

DO $$ BEGIN IF current_setting('server_version_num')::int >= 180000 THEN
  IF NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = 'role_rights'::regclass AND conname = 'role_rights_role_id_fkey') THEN
    EXECUTE 'ALTER TABLE role_rights ADD CONSTRAINT role_rights_role_id_fkey FOREIGN KEY (role_id) REFERENCES roles (id) NOT ENFORCED';
  END IF;
END IF; END $$;

CREATE INDEX IF NOT EXISTS accounts_organization_id ON accounts (organization_id);

CREATE INDEX IF NOT EXISTS sites_account_id ON sites (account_id);

CREATE INDEX IF NOT EXISTS sites_org_id ON sites (org_id);

CREATE INDEX IF NOT EXISTS machines_organization_id ON machines (organization_id);

CREATE INDEX IF NOT EXISTS machines_site_id ON machines (site_id);

CREATE INDEX IF NOT EXISTS machine_settings_machine_id ON machine_settings (machine_id);

CREATE INDEX IF NOT EXISTS alerts_organization_id ON alerts (organization_id);

CREATE INDEX IF NOT EXISTS alerts_account_id ON alerts (account_id);

CREATE INDEX IF NOT EXISTS alerts_site_id ON alerts (site_id);

CREATE INDEX IF NOT EXISTS alerts_machine_id ON alerts (machine_id);

CREATE INDEX IF NOT EXISTS alerts_alert_code_id ON alerts (alert_code_id);

CREATE INDEX IF NOT EXISTS alerts_raised_at ON alerts (raised_at);

CREATE INDEX IF NOT EXISTS transactions_site_id ON transactions (site_id);

CREATE INDEX IF NOT EXISTS transactions_machine_id ON transactions (machine_id);

CREATE INDEX IF NOT EXISTS transactions_recorded_at_utc ON transactions (recorded_at_utc);

CREATE INDEX IF NOT EXISTS transaction_lines_occurred_at_local_time ON transaction_lines (occurred_at_local_time);

CREATE INDEX IF NOT EXISTS selections_machine_id ON selections (machine_id);

CREATE INDEX IF NOT EXISTS selections_product_id ON selections (product_id);

CREATE INDEX IF NOT EXISTS template_selections_template_id ON template_selections (template_id);

CREATE INDEX IF NOT EXISTS template_selections_product_id ON template_selections (product_id);

CREATE INDEX IF NOT EXISTS roles_organization_id ON roles (organization_id);

CREATE INDEX IF NOT EXISTS role_rights_role_id ON role_rights (role_id);

CREATE OR REPLACE VIEW machines_full AS
SELECT
  m.id,
  m.name,
  s.name AS site_name,
  a.name AS account_name,
  o.name AS organization_name,
  a.id AS account_id,
  coalesce(s.time_zone, o.time_zone) AS time_zone,
  greatest(m.last_cash_sale_server, m.last_credit_sale_server, m.last_account_sale_server) AS last_sale_utc,
  round(extract(epoch FROM coalesce(NULL, now()) - greatest(m.last_cash_sale_server, m.last_credit_sale_server, m.last_account_sale_server))::numeric / 3600, 1) AS hours_since_sale,
  round(extract(epoch FROM coalesce(NULL, now()) - m.last_heart_beat_server)::numeric / 3600, 1) AS hours_since_heart_beat,
  m.asset_id,
  m.organization_id,
  m.site_id,
  m.type_id,
  m.machine_master_id,
  m.controller_firmware_current,
  m.controller_firmware_pending_update,
  m.pc_firmware_current,
  m.pc_firmware_pending_update,
  m.force_update,
  m.prose,
  m.model_number,
  m.tax_percentage,
  m.commission_percentage,
  m.has_planogram_change,
  m.call_in_code,
  m.enable_account_sales,
  m.enable_cash_sales,
  m.enable_credit_sales,
  m.mode,
  m.is_visible,
  m.created_at,
  m.provisioned_at,
  m.last_heart_beat_server,
  m.last_heart_beat_local,
  m.last_cash_sale_server,
  m.last_cash_sale_local,
  m.last_credit_sale_server,
  m.last_credit_sale_local,
  m.last_account_sale_server,
  m.last_account_sale_local,
  m.extra,
  m.latest_restock_to_picklist_server,
  m.latest_restock_to_picklist_local,
  m.credit_processing_fee,
  m.bluetooth_id,
  m.external_accounts_terminal_id,
  m.can_rollback_firmware,
  m.ignore_door_state,
  m.enable_slot_count_tracking,
  m.use_internet_pricing,
  m.hardware_settings_changed,
  m.use_plangram_price,
  m.use_machine_tax_rate,
  m.use_machine_commission_rate,
  m.offer_sms_receipts
FROM machines m
LEFT JOIN sites s ON s.id = m.site_id
LEFT JOIN accounts a ON a.id = s.account_id
LEFT JOIN organizations o ON o.id = coalesce(m.organization_id, s.org_id)
WHERE m.deleted_at IS NULL;

COMMENT ON VIEW machines_full IS 'Machines that are not deleted, with the names of site, account and organization. Local times are in time_zone.';

CREATE OR REPLACE VIEW alerts_full AS
SELECT
  x.id,
  x.code,
  (SELECT max(c.description) FROM alert_codes c WHERE c.code = x.code) AS description,
  m.name AS machine_name,
  s.name AS site_name,
  a.name AS account_name,
  o.name AS organization_name,
  coalesce(s.time_zone, o.time_zone) AS time_zone,
  coalesce(x.raised_at_server_time, x.raised_at AT TIME ZONE z.iana) AS raised_at_utc,
  coalesce(x.cleared_at_server_time, x.cleared_at AT TIME ZONE z.iana) AS cleared_at_utc,
  round(extract(epoch FROM coalesce(coalesce(x.cleared_at_server_time, x.cleared_at AT TIME ZONE z.iana), now()) - coalesce(x.raised_at_server_time, x.raised_at AT TIME ZONE z.iana))::numeric / 3600, 1) AS age_hours,
  x.organization_id,
  x.account_id,
  x.site_id,
  x.machine_id,
  x.machine_location,
  x.machine_prose,
  x.alert_code_id,
  x.message,
  x.is_cleared,
  x.raised_at,
  x.cleared_at,
  x.raised_at_server_time,
  x.cleared_at_server_time,
  x.alert_metadata_key,
  x.alert_metadata_value,
  x.extra
FROM alerts x
LEFT JOIN machines m ON m.id = x.machine_id
LEFT JOIN sites s ON s.id = coalesce(x.site_id, m.site_id)
LEFT JOIN accounts a ON a.id = coalesce(x.account_id, s.account_id)
LEFT JOIN organizations o ON o.id = coalesce(x.organization_id, m.organization_id)
LEFT JOIN time_zones z ON z.name = coalesce(s.time_zone, o.time_zone)
WHERE x.deleted_at IS NULL;

COMMENT ON VIEW alerts_full IS 'Alerts with the names of machine, site, account and organization. age_hours is the time until it was cleared, or until now.';

CREATE OR REPLACE VIEW open_alerts AS
SELECT * FROM alerts_full WHERE is_cleared IS NOT TRUE;

COMMENT ON VIEW open_alerts IS 'Alerts that are not cleared; the columns are those of alerts_full.';

CREATE OR REPLACE VIEW sales_by_day AS
SELECT
  l.occurred_at_local_time::date AS day,
  (now() AT TIME ZONE 'UTC')::date - l.occurred_at_local_time::date AS days_ago,
  t.site_id,
  max(t.site_name) AS site_name,
  t.machine_id,
  max(t.machine_name) AS machine_name,
  l.product_id,
  max(l.product_name) AS product_name,
  count(*) AS lines,
  count(*) FILTER (WHERE l.vend_was_successful IS FALSE) AS failed_lines,
  coalesce(sum(l.quantity) FILTER (WHERE l.vend_was_successful IS NOT FALSE), 0) AS quantity,
  coalesce(sum(l.total_price) FILTER (WHERE l.vend_was_successful IS NOT FALSE), 0) AS total_price,
  coalesce(sum(l.tax_charged) FILTER (WHERE l.vend_was_successful IS NOT FALSE), 0) AS tax_charged,
  coalesce(sum(l.commission) FILTER (WHERE l.vend_was_successful IS NOT FALSE), 0) AS commission,
  coalesce(sum(l.total_price) FILTER (WHERE l.vend_was_successful IS FALSE), 0) AS failed_price
FROM transaction_lines l
JOIN transactions t ON t.id = l.transaction_id
WHERE l.deleted_at IS NULL AND t.deleted_at IS NULL
GROUP BY l.occurred_at_local_time::date, t.site_id, t.machine_id, l.product_id;

COMMENT ON VIEW sales_by_day IS 'Line items by day in the local time of the machine, site, machine and product; days_ago counts from today in UTC. Failed vends count in lines, failed_lines and failed_price only.';

CREATE OR REPLACE VIEW selections_full AS
SELECT
  x.id,
  p.name AS product_name,
  m.name AS machine_name,
  m.site_id,
  s.name AS site_name,
  a.name AS account_name,
  o.name AS organization_name,
  x.machine_id,
  x.selection_number,
  x.friendly_number,
  x.product_id,
  x.price,
  x.invoice_price,
  x.restock_to,
  x.depth,
  x.count,
  x.is_active,
  x.alert_level,
  x.restock_at,
  x.free_count,
  x.tax,
  x.commission,
  x.extra
FROM selections x
LEFT JOIN products p ON p.id = x.product_id
LEFT JOIN machines m ON m.id = x.machine_id
LEFT JOIN sites s ON s.id = m.site_id
LEFT JOIN accounts a ON a.id = s.account_id
LEFT JOIN organizations o ON o.id = coalesce(m.organization_id, s.org_id)
WHERE x.deleted_at IS NULL;

COMMENT ON VIEW selections_full IS 'Selections that are not deleted, with the names of product, machine, site, account and organization.';

INSERT INTO vendorctl_mirror (name, value) VALUES ('schema', '2') ON CONFLICT (name) DO UPDATE SET value = excluded.value;
