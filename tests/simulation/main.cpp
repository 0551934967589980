#include <iostream>
#include "simulation/plan.h"
int main(int argc, char** argv) {
  using namespace tally::simulation;
  std::uint64_t from = argc>1? std::stoull(argv[1]):1, to= argc>2? std::stoull(argv[2]):from;
  for (auto seed = from; seed<=to; ++seed) {
    Plan plan{.seed=seed};
    if (argc>3 && std::string(argv[3])=="large") plan = largePlanOf(seed);
    if (argc>3 && std::string(argv[3])!="large") plan.broken = static_cast<Broken>(std::stoi(argv[3]));
    if (argc>5) plan.shown={std::stoull(argv[4]),std::stoull(argv[5])};
    Outcome o = simulate(plan);
    for (auto& s: o.shown) std::cout<<s.step<<' '<<s.text<<'\n';
    std::cout<<seed<<": "<<o.calls<<" calls, "<<o.requests<<" requests, "<<o.steps<<" steps, hash "<<o.hash<<' '<<o.violation.rule<<": "<<o.violation.text<<std::endl;
    if (argc==3) continue;
    for (auto& [k,n]:o.counts) std::cout<<"   "<<k<<' '<<n<<'\n';
  }
}
