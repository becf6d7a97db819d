#define DOCTEST_CONFIG_IMPLEMENT  // which the other would define, were the header not read already
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
