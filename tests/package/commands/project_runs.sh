export TALLY_BASE_URL=http://127.0.0.1:7878 TALLY_API_KEY=sk_test_EsAviJUjvlJUUT29gtfilWJY
build/payments
